import { serverSentEvents, type ServerSentEvent } from "../../contract/event-stream.ts";
import { apiPath, reasonOf, type Failed, type PlatformApi } from "./sidecar/platform-api.ts";
import { PlatformError } from "./sidecar/platform-errors.ts";
import { SidecarError } from "./sidecar/sidecar-client.ts";

/** An event of another service's job, in the platform's envelope. */
export interface ServiceEvent {
  /** Value for `Last-Event-ID`. */
  readonly id: string | undefined;
  /** `platform.job.event`, `platform.job.status` or `platform.job.result`. */
  readonly type: string;
  readonly schema?: string | undefined;
  /** RFC 3339. */
  readonly timestamp?: string | undefined;
  /** The event's body: the reported event, `{ "job-urn", "status" }`, or the address of the result. */
  readonly data: unknown;
}

const eventStream = "text/event-stream";
/** Maximum characters of one event. */
const longest = 8 * 1024 * 1024;
const ends: ReadonlySet<unknown> = new Set(["succeeded", "failed", "error", "cancelled"]);
/** Milliseconds after its first data, after which the end of a stream is not counted as a failure. */
const soon = 1000;
/** Milliseconds without data after which the stream is reopened. */
const patience = 120_000;
/** Maximum number of ids by which repeated events are known; a service keeps 1000 events of a job. */
const mostIds = 10_000;
/** Maximum characters of an id; a longer one is not sent as `Last-Event-ID`. */
const longestId = 1000;

/**
 * The events of a job until it ends. An interrupted stream resumes after the last received event; events that come
 * again are left out, since some servers begin each stream with the first event.
 */
export async function* serviceEvents(
  api: PlatformApi,
  service: string,
  job: string,
): AsyncGenerator<ServiceEvent, void, undefined> {
  const operation = `get events of job ${job}`;
  const path = apiPath(["services2", service, "jobs", job, "events"]);
  let last: string | undefined;
  let failures = 0;
  let result = false;
  let status = false;
  let since = Infinity;
  /** The stream in which an id came first. */
  const streamOf = new Map<string, number>();
  const onPiece = (pending: number): void => {
    since = Math.min(since, api.clock.now());
    if (pending > longest) throw new PlatformError(operation, `an event has more than ${longest} characters.`);
  };
  for (let count = 1; ; count++) {
    const resume: Record<string, string> = last === undefined ? {} : { "Last-Event-ID": last };
    const headers = { Accept: eventStream, ...resume };
    since = Infinity;
    const stream = await api.stream({ operation, method: "GET", path, headers, timeout: patience });
    const type = stream.headers["content-type"] ?? eventStream;
    let isStream = type.toLowerCase().startsWith(eventStream);
    let failed: Failed = { reason: "the stream ended before the job" };
    try {
      for await (const message of serverSentEvents(ReadableStream.from(stream.body), onPiece)) {
        isStream = true;
        const { id } = message;
        if (id !== undefined && id.length <= longestId) {
          if ((streamOf.get(id) ?? count) < count) continue;
          remember(streamOf, id, count);
          last = id;
          failures = 0;
        }
        const event = readEvent(message);
        yield event;
        result ||= event.type === "platform.job.result";
        status ||= isEnd(event);
        // The stream ends with both status and result, which come in either order; a job that did not succeed has no
        // result.
        if (status && (result || !isSuccess(event))) return;
      }
    } catch (error) {
      failed = { reason: reasonOf(operation, error) };
      if (error instanceof SidecarError && error.fault === "silent") since = Infinity;
    }
    if (result || status) return;
    if (!isStream) {
      failed = { reason: `the platform's answer (${type}) was not an event stream` };
      since = Infinity;
    }
    // A stream that was alive until its end is not a failure, even without an event: some proxies end every stream.
    if (api.clock.now() - since > soon) failures = 0;
    await api.pause(operation, ++failures, failed);
  }
}

function remember(streamOf: Map<string, number>, id: string, count: number): void {
  streamOf.set(id, count);
  const [oldest] = streamOf.keys();
  if (oldest !== undefined && streamOf.size > mostIds) streamOf.delete(oldest);
}

function readEvent({ id, event: type, data }: ServerSentEvent): ServiceEvent {
  let content: unknown;
  try {
    content = JSON.parse(data);
  } catch {
    return { id, type, data };
  }
  if (typeof content !== "object" || content === null || !("data" in content)) return { id, type, data: content };
  const envelope = content as Readonly<Record<string, unknown>>;
  const text = (name: string): string | undefined => {
    const value = envelope[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    id: id ?? text("eventID"),
    type: text("type") ?? type,
    schema: text("schema"),
    timestamp: text("timestamp"),
    data: envelope["data"],
  };
}

function isEnd(event: ServiceEvent): boolean {
  return event.type === "platform.job.status" && ends.has(statusOf(event));
}

function isSuccess(event: ServiceEvent): boolean {
  return statusOf(event) === "succeeded";
}

function statusOf({ data }: ServiceEvent): unknown {
  return typeof data === "object" && data !== null ? (data as { readonly status?: unknown }).status : undefined;
}
