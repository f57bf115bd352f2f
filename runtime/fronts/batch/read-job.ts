import { isObject } from "../../contract/validation/json-value.ts";
import { ToolError } from "../../base/errors.ts";
import { parseJsonBody } from "../http/parse-json.ts";
import { jobUrnPrefix, parseJobId } from "../../job/job-id.ts";
import type { JobUrn, PlatformAttempt } from "../../job/job.ts";
import { retryAfter } from "../../outside/platform/sidecar/back-off.ts";
import type { SidecarAnswer } from "../../outside/platform/sidecar/sidecar-client.ts";
import { legalBaggage } from "../../job/baggage.ts";
import { parseTraceContext } from "../../job/trace-context.ts";

const doneMarker = "urn:platform:schema.service.batch.done";
const defaultPause = 1000;
const defaultLease = 15;

/** A job from the sidecar. */
export interface FetchedJob {
  readonly id: JobUrn;
  /** Error with which the job ends, because it cannot run. */
  readonly problem?: ToolError;
  readonly content: unknown;
  /** The job's token, verbatim. */
  readonly authorization: string | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage: string | undefined;
  readonly attempt: PlatformAttempt;
  /** Seconds of the lease; undefined: the sidecar does not support leases. */
  readonly leaseSeconds: number | undefined;
}

/**
 * Content of an accepted answer to `GET next_job`. `empty`: retry after `pause` ms. `unusable`: the job cannot be read.
 */
export type Fetched =
  | { readonly kind: "job"; readonly job: FetchedJob }
  | { readonly kind: "empty"; readonly pause: number }
  | { readonly kind: "done" }
  | { readonly kind: "unusable"; readonly reason: string };

/** Parses an answer of status 200 to 299, or 410. */
export function readJob({ status, headers, body }: SidecarAnswer): Fetched {
  if (status === 410) return { kind: "done" };
  if (status === 204) return { kind: "empty", pause: retryAfter(headers["retry-after"]) ?? defaultPause };
  let envelope: unknown;
  try {
    envelope = parseJsonBody(body);
  } catch (error) {
    return unusable(
      error instanceof ToolError ? error.message.replace("The request", "the answer") : "it cannot be read",
    );
  }
  if (!isObject(envelope)) return unusable("the answer is not a JSON object");
  const schema = envelope["$schema"];
  if (typeof schema === "string" && schema.startsWith(doneMarker)) return { kind: "done" };
  const given = envelope["id"];
  const name = typeof given === "number" ? String(given) : given;
  // A job without an id is unusable: it could not be ended, since its result is sent to a path with the id.
  if (typeof name !== "string" || /^\.{0,2}$/.test(name)) return unusable("the answer has no usable job id");
  const id = typeof given === "string" ? urnOf(given) : undefined;
  const type = envelope["in-content-type"] ?? "application/json";
  const problem = problemOf(id, type);
  const [number, lease, seconds] = ["job-attempt", "job-lease", "job-lease-seconds"].map((key) => one(headers[key]));
  return {
    kind: "job",
    job: {
      id: id ?? standIn(name),
      ...(problem !== undefined && { problem }),
      content: envelope["in-content"],
      authorization: headers.authorization,
      ...traceOf(one(headers["traceparent"]), one(headers["tracestate"])),
      baggage: legalBaggage(headers["baggage"]),
      attempt: {
        id: name,
        headers: {
          ...(number !== undefined && { "Job-Attempt": number }),
          ...(lease !== undefined && { "Job-Lease": lease }),
        },
      },
      leaseSeconds: lease === undefined ? undefined : leaseOf(seconds),
    },
  };
}

/**
 * Makes a URN for an id that is not legal in a URN. The same id gives the same URN, so that a repeated job is
 * recognised.
 */
function standIn(name: string): JobUrn {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `${jobUrnPrefix}${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

function problemOf(id: JobUrn | undefined, type: unknown): ToolError | undefined {
  if (id === undefined)
    return new ToolError(
      "user-input",
      "The job has an unusable id: it must be a text of at most 200 ASCII characters.",
    );
  if (typeof type === "string" && isJsonType(type)) return undefined;
  const text = `The job has in-content-type ${JSON.stringify(type)}; only application/json is taken.`;
  return new ToolError("unsupported-media-type", text);
}

/** True for a JSON content type. */
function isJsonType(contentType: string): boolean {
  return /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim());
}

/**
 * Makes the URN of a job id; undefined for illegal characters. Ids from the platform may have more characters than ids
 * from callers.
 */
function urnOf(name: string): JobUrn | undefined {
  const plain = parseJobId(name);
  if (plain !== undefined) return plain;
  const bare = name.startsWith(jobUrnPrefix) ? name.slice(jobUrnPrefix.length) : name;
  return /^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(bare) && !/^\.{1,2}$/.test(bare) ? `${jobUrnPrefix}${bare}` : undefined;
}

function leaseOf(seconds: string | undefined): number {
  const value = seconds !== undefined && /^\d{1,5}(?:\.\d{1,3})?$/.test(seconds) ? Number(seconds) : 0;
  return value > 0 ? value : defaultLease;
}

function traceOf(traceparent?: string, tracestate?: string): Pick<FetchedJob, "traceparent" | "tracestate"> {
  const isLegal = parseTraceContext(traceparent, tracestate) !== undefined;
  return { traceparent: isLegal ? traceparent : undefined, tracestate: isLegal ? tracestate : undefined };
}

function one(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === "string" ? value : value?.[0];
  return text === "" ? undefined : text;
}

function unusable(reason: string): Fetched {
  return { kind: "unusable", reason };
}
