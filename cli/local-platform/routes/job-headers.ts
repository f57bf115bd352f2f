import { createHash } from "node:crypto";
import { ToolError } from "../../../runtime/base/errors.ts";
import { isFiring, newJobUrn, parseJobId } from "../../../runtime/job/job-id.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import { legalBaggage } from "../../../runtime/job/baggage.ts";
import { parseTraceContext } from "../../../runtime/job/trace-context.ts";
import { readSeconds, type Exchange } from "./exchange.ts";
import type { JobRequest } from "../jobs/job-request.ts";
import type { RegisteredService } from "../services/known-services.ts";

/** Maximum seconds that a call may wait for the end of a job. */
const longestWait = 3600;

/**
 * Returns the seconds that a call waits for the end of its job: `Prefer: wait=N`, `Timeout: N` or `?wait=N`; default 0.
 */
export function waitOf(exchange: Exchange): number {
  const prefer = exchange.header("prefer");
  if (prefer !== undefined && /(?:^|,)\s*respond-async\s*(?:,|;|$)/i.test(prefer)) return 0;
  const preferred = prefer === undefined ? undefined : /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})/i.exec(prefer)?.[1];
  const text = preferred ?? exchange.header("timeout") ?? exchange.query("wait");
  return readSeconds("The time to wait", text, longestWait) ?? 0;
}

/** Returns the header `job-id`, or a new id. Throws `bad-request`. */
export function idOf(exchange: Exchange): JobUrn {
  const text = exchange.header("job-id");
  if (text === undefined) return newJobUrn();
  const id = parseJobId(text);
  // Refuses ids of scheduled firings: a job with such an id would keep the schedule from starting its own job.
  if (id === undefined || isFiring(id)) throw new ToolError("bad-request", "The job-id header is not a plain id.");
  return id;
}

/** Returns `Idempotency-Key` with its scope, outside which the same key is another one. Throws `bad-request`. */
export function onceKeyOf(exchange: Exchange, scope: string): string | undefined {
  const key = exchange.header("idempotency-key");
  if (key === undefined) return undefined;
  if (key === "" || key.length > 255) throw new ToolError("bad-request", "Idempotency-Key has 1 to 255 characters.");
  return `${scope} ${key}`;
}

/** Returns `Idempotency-Key` with the name of the service, and the digest of the body. Throws `bad-request`. */
export function idempotencyOf(
  exchange: Exchange,
  service: RegisteredService,
  body: Buffer,
): { readonly key: string; readonly digest: string } | undefined {
  const key = onceKeyOf(exchange, service.key);
  return key === undefined ? undefined : { key, digest: createHash("sha256").update(body).digest("base64url") };
}

/** Returns the valid parts of the trace context and the baggage. */
export function traceOf(exchange: Exchange): Pick<JobRequest, "traceparent" | "tracestate" | "baggage"> {
  const baggage = legalBaggage(exchange.header("baggage"));
  const traceparent = exchange.header("traceparent");
  const tracestate = exchange.header("tracestate");
  if (parseTraceContext(traceparent, tracestate) === undefined) return { baggage };
  return { traceparent, tracestate, baggage };
}
