import { randomUUID } from "node:crypto";
import { apiPath, jsonOf, type PlatformApi } from "./sidecar/platform-api.ts";
import { ServiceJobError } from "./sidecar/platform-errors.ts";
import { serviceEvents, type ServiceEvent } from "./service-events.ts";

export type ServiceJobStatus =
  | ("unknown" | "pending" | "scheduled" | "executing")
  | ("succeeded" | "failed" | "error" | "cancelled");

export interface WaitOptions {
  /** Timeout in seconds; default: only the calling job's own. */
  readonly maxWaitTime?: number;
  /** Seconds between two polls, at most 3600; default: the platform's hint, but at least 0.5, else 5. */
  readonly pollInterval?: number;
}

export interface SendOptions {
  /** Key of a wait in a loop. */
  readonly key?: string | number;
  /** Messages with the same key count once; default: a new key for each call. */
  readonly idempotencyKey?: string;
}

/** A job of another service. */
export interface ServiceJob {
  readonly urn: string;
  /** Status at the last poll. */
  readonly status: ServiceJobStatus;
  readonly finished: boolean;
  readonly succeeded: boolean;
  /** Fetches the status. */
  refresh(): Promise<ServiceJobStatus>;
  /** Polls until the job has ended. Throws a `ServiceJobError` when that takes longer than `maxWaitTime`. */
  wait(options?: WaitOptions): Promise<ServiceJobStatus>;
  /**
   * Waits for the result: JSON as a value, text as a string, other types as bytes. Throws a `ServiceJobError` if the
   * job has none.
   */
  result(options?: WaitOptions): Promise<unknown>;
  /**
   * Sends a message that the job waits for, or will wait for (`job.wait`).
   * @throws PlatformError when the job has ended, or does not accept the message
   */
  send(name: string, message: unknown, options?: SendOptions): Promise<void>;
  /** Yields the events of the job, from its start to its end. */
  events(): AsyncIterable<ServiceEvent>;
}

/** Data about a job that is known when its object is created. */
export interface KnownJob {
  readonly urn: string;
  readonly status: ServiceJobStatus;
  readonly result?: unknown;
  /** Seconds. */
  readonly retryLater?: number | undefined;
}

// oxfmt-ignore
const statuses: ReadonlySet<string> = new Set<ServiceJobStatus>([
  "unknown", "pending", "scheduled", "executing", "succeeded", "failed", "error", "cancelled",
]);
const ends: ReadonlySet<string> = new Set<ServiceJobStatus>(["succeeded", "failed", "error", "cancelled"]);
const usualPoll = 5;
/** Minimum seconds between two polls when the platform's hint decides. */
const shortestPoll = 0.5;
/** Maximum seconds between two polls; timers have a limit as well, and end at once beyond it. */
const longestPoll = 3600;

/** Creates a job of another service, which polls the platform. */
export function createServiceJob(api: PlatformApi, service: string, known: KnownJob): ServiceJob {
  const { urn } = known;
  const operation = `get job ${urn}`;
  let status = known.status;
  let result = known.result;
  let hasResult = "result" in known;
  let problem: string | undefined;
  const fetch = async (): Promise<void> => {
    const path = apiPath(["services2", service, "jobs", urn], {
      "with-request-content": false,
      "with-result-content": true,
    });
    const record = jsonOf(operation, await api.call({ operation, method: "GET", path }));
    const told = record["status"];
    status = typeof told === "string" && statuses.has(told) ? (told as ServiceJobStatus) : "unknown";
    if (status === "succeeded") {
      // Bytes are fetched separately, since the job's record cannot contain them.
      const isBytes = kindOf(String(record["result-content-type"] ?? "application/json")) === "bytes";
      result = isBytes ? await fetchOutput() : record["result-content"];
      hasResult = true;
    }
    problem = typeof record["error-message"] === "string" ? record["error-message"] : undefined;
  };
  const fetchOutput = async (): Promise<unknown> => {
    const path = apiPath(["services2", service, "jobs", urn, "output"]);
    const { body, headers } = await api.call({ operation: `get the result of job ${urn}`, method: "GET", path });
    return readResult(body, headers["content-type"]);
  };
  const refresh = async (): Promise<ServiceJobStatus> => {
    if (!ends.has(status)) await fetch();
    return status;
  };
  const wait = async ({ maxWaitTime = Infinity, pollInterval }: WaitOptions = {}): Promise<ServiceJobStatus> => {
    const seconds = Math.min(pollInterval ?? Math.max(known.retryLater ?? usualPoll, shortestPoll), longestPoll);
    if (!(seconds > 0)) throw new TypeError("pollInterval must be a number of seconds above 0.");
    const start = api.clock.now();
    for (;;) {
      if (ends.has(await refresh())) return status;
      const left = maxWaitTime * 1000 - (api.clock.now() - start);
      if (left <= 0) {
        throw new ServiceJobError(
          `wait for job ${urn}`,
          `it is still ${status} after ${maxWaitTime} s. Wait longer with maxWaitTime.`,
        );
      }
      await api.clock.sleep(Math.min(seconds * 1000, left), api.signal);
      if (api.signal.aborted) throw new ServiceJobError(`wait for job ${urn}`, "the own job was stopped.");
    }
  };
  return {
    urn,
    get status() {
      return status;
    },
    get finished() {
      return ends.has(status);
    },
    get succeeded() {
      return status === "succeeded";
    },
    refresh,
    wait,
    async result(options) {
      await wait(options);
      if (status === "succeeded") {
        if (!hasResult) await fetch();
        return result;
      }
      const tail = problem === undefined ? "" : ` It says: ${problem.slice(0, 500)}`;
      throw new ServiceJobError(`get the result of job ${urn}`, `it ended as ${status}.${tail}`);
    },
    async send(name, message, { key, idempotencyKey = randomUUID() } = {}) {
      await api.call({
        operation: `send ${name} to job ${urn}`,
        method: "POST",
        path: apiPath(["services2", service, "jobs", urn, "messages", name], { key }),
        headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
        body: JSON.stringify(message),
      });
    },
    events: () => serviceEvents(api, service, urn),
  };
}

/** Decodes a result: JSON as a value, text as a string, other types as bytes. */
export function readResult(body: Buffer, contentType = "application/octet-stream"): unknown {
  const kind = kindOf(contentType);
  if (kind === "bytes") return body;
  const text = body.toString("utf8");
  if (kind === "text") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function kindOf(contentType: string): "json" | "text" | "bytes" {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type.startsWith("application/vnd.platform.")) {
    return "json";
  }
  return type.startsWith("text/") ? "text" : "bytes";
}
