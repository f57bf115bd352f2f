import { legalBaggage } from "../../job/baggage.ts";
import { ToolError } from "../../base/errors.ts";
import { isFiring, parseJobId } from "../../job/job-id.ts";
import type { JobUrn } from "../../job/job.ts";
import type { Exchange } from "../http/exchange.ts";
import { longestWait } from "../../service/tools/tool-options.ts";

const traceparentShape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** The headers of a call. */
export interface CallHeaders {
  readonly id: JobUrn | undefined;
  /** Seconds to wait for the result. */
  readonly wait: number;
  readonly idempotencyKey: string | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage: string | undefined;
}

/** Parses the headers of a call; throws `bad-request` for an invalid value. */
export function readCallHeaders(exchange: Pick<Exchange, "header">, usual: number): CallHeaders {
  const traceparent = exchange.header("traceparent");
  const baggage = exchange.header("baggage");
  return {
    id: readJobId(exchange.header("job-id")),
    wait: readWait(exchange.header("prefer"), exchange.header("timeout")) ?? usual,
    idempotencyKey: readIdempotencyKey(exchange.header("idempotency-key")),
    // An invalid trace context is ignored, as W3C requires.
    traceparent: traceparent !== undefined && traceparentShape.test(traceparent) ? traceparent : undefined,
    tracestate: exchange.header("tracestate"),
    baggage: baggage === undefined ? undefined : legalBaggage(baggage),
  };
}

/** Returns the seconds to wait by the `Prefer` header, 0 for `respond-async`; undefined if the header has neither. */
export function readPrefer(prefer: string | undefined): number | undefined {
  if (prefer === undefined) return undefined;
  let wait: number | undefined;
  for (const preference of prefer.split(/[,;]/)) {
    const [name = "", value] = preference.split("=", 2).map((part) => part.trim());
    if (name.toLowerCase() === "respond-async") return 0;
    if (name.toLowerCase() === "wait") wait ??= parseSeconds(value?.replace(/^"(.*)"$/, "$1") ?? "");
  }
  return wait;
}

function readWait(prefer: string | undefined, timeout: string | undefined): number | undefined {
  if (prefer === undefined && timeout === undefined) return undefined;
  return readPrefer(prefer) ?? (timeout === undefined ? undefined : readTimeout(timeout));
}

function readTimeout(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined) return seconds;
  throw new ToolError("bad-request", `Timeout must be a number of seconds, not ${JSON.stringify(text.slice(0, 50))}.`);
}

function parseSeconds(text: string): number | undefined {
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Math.min(Number(text), longestWait) : undefined;
}

function readJobId(text: string | undefined): JobUrn | undefined {
  if (text === undefined) return undefined;
  const id = parseJobId(text);
  if (id !== undefined && !isFiring(id)) return id;
  throw new ToolError(
    "bad-request",
    "job-id must be urn:platform:job:<id> or the id alone: up to 128 letters, digits and -._~",
  );
}

function readIdempotencyKey(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^[\x20-\x7e]{1,255}$/.test(text)) return text;
  throw new ToolError("bad-request", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}
