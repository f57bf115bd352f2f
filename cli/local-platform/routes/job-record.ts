import { isFiring } from "../../../runtime/job/job-id.ts";
import { traceIdOf } from "../../../runtime/job/trace-context.ts";
import { timeOfJobId } from "../../../runtime/job/time-of-job-id.ts";
import { waitsFor } from "../../../runtime/job/steps/waits-for.ts";
import type { ListedJob } from "../../../runtime/executor/store/listed-jobs.ts";
import type { JobRecord } from "../../../runtime/executor/store/job-store.ts";
import { endOf, type EndedJob } from "../jobs/job-outcome.ts";
import { onlyTool } from "../services/service-tools.ts";
import type { RegisteredService } from "../services/known-services.ts";

type JobTimes = Pick<ListedJob, "startedAt" | "endedAt">;

export interface RecordParts {
  readonly service: RegisteredService;
  readonly times: JobTimes;
  /** Attempts in the form of answers. */
  readonly attempts: readonly object[];
  readonly withResult: boolean;
}

/** A job in the form of `GET …/jobs/{id}`. */
export function jobRecord(record: JobRecord, { service, times, attempts, withResult }: RecordParts): object {
  const { id, state, attempt, outcome, traceparent, waiting } = record;
  // A job that runs in a REST service gets no time: the service knows when the job continues, but the store only has
  // the time of the next poll.
  const waits = waitsFor(service.url === undefined || waiting === undefined ? waiting : { waits: waiting.waits });
  const common = {
    id,
    status: state,
    service: service.urn,
    "service-name": service.name,
    ...toolOf(service),
    attempt,
    ...traceOf(traceparent),
    ...(isFiring(id) && { origin: "schedule" }),
    "requested-at": requestedAt(id),
    ...shownTimes(times),
    attempts,
    links: [{ rel: "events", href: `/services2/${service.key}/jobs/${id}/events` }],
  };
  if (outcome === undefined) return { ...common, ...(waits !== undefined && { "waits-for": waits }) };
  const end = endOf(outcome);
  if (outcome.state !== "succeeded") {
    return { ...common, "error-message": outcome.error.message, "error-kind": outcome.error.kind, error: parse(end) };
  }
  return {
    ...common,
    "result-content-type": end.contentType,
    ...(withResult && { "result-content": readable(end) }),
  };
}

/** A job in the form of a list. */
export function listedJob(job: ListedJob, service: RegisteredService | undefined): object {
  const { id, state, attempt, tool, traceparent, isDead, error } = job;
  return {
    id,
    status: state,
    service: service?.urn,
    "service-name": service?.name ?? tool,
    ...toolOf(service),
    attempt,
    ...traceOf(traceparent),
    ...(isFiring(id) && { origin: "schedule" }),
    "requested-at": requestedAt(id),
    ...shownTimes(job),
    ...(isDead && { "dead-letter": true }),
    ...(error !== undefined && { "error-kind": error.kind, "error-message": error.message }),
  };
}

/** The tool of a service with only one tool; with several, the platform does not know which one a worker runs. */
function toolOf(service: RegisteredService | undefined): object {
  const tool = service === undefined ? undefined : onlyTool(service.definition);
  return tool === undefined ? {} : { tool };
}

function traceOf(traceparent: string | undefined): object {
  const trace = traceIdOf(traceparent);
  return trace === undefined ? {} : { "trace-id": trace };
}

function shownTimes({ startedAt, endedAt }: JobTimes): object {
  return {
    ...(startedAt !== undefined && { "started-at": new Date(startedAt).toISOString() }),
    ...(endedAt !== undefined && { "finished-at": new Date(endedAt).toISOString() }),
  };
}

/** The end of a job's last worker, and the last lines of its log, if known. */
export function lastWorkerOf(detail: string | undefined): object {
  if (detail === undefined) return {};
  const [end, ...log] = detail.split("\n");
  return { detail: end, ...(log.length > 0 && { "log-tail": log }) };
}

/** Converts a result for reading: JSON as a value, text as text, anything else as base64. */
function readable(end: EndedJob): unknown {
  const type = end.contentType.toLowerCase();
  if (/^application\/(?:[\w.!#$&^+-]+\+)?json\b/.test(type) || type.startsWith("application/vnd.platform.")) {
    return parse(end);
  }
  return type.startsWith("text/") ? textOf(end) : Buffer.from(end.body as string).toString("base64");
}

function parse(end: EndedJob): unknown {
  const text = textOf(end);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf({ body }: EndedJob): string {
  return typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

function requestedAt(id: string): string | undefined {
  const time = timeOfJobId(id);
  return time === undefined ? undefined : new Date(time).toISOString();
}
