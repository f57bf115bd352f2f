import type { RunningJob } from "../running/running-job.ts";
import { mayRepeat } from "./lending.ts";
import { turnOf } from "../running/turn-of.ts";
import { maxAttempts } from "../store/shared-rules.ts";
import type { NewJob } from "../store/job-store.ts";

/** Seconds for which a finished job is stored. */
const defaultTtl = 3600;

/** The parts of a job that a store needs. */
type Stored = Pick<RunningJob, "id" | "tool" | "input" | "submission"> &
  Partial<Pick<RunningJob, "owner" | "traceparent" | "tracestate" | "baggage" | "client">>;

/** Converts a job into a new record for a store. */
export function newJob(job: Stored): NewJob {
  const { idempotency, caller } = job.submission;
  return {
    id: job.id,
    tool: job.tool.name,
    input: job.input,
    ...(job.owner === undefined ? {} : { owner: job.owner }),
    ...(caller === undefined ? {} : { caller }),
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(job.traceparent === undefined ? {} : { traceparent: job.traceparent }),
    ...(job.tracestate === undefined ? {} : { tracestate: job.tracestate }),
    ...(job.baggage === undefined ? {} : { baggage: job.baggage }),
    ...(job.client?.talk === undefined ? {} : { talk: job.client.talk }),
    ...turnOf(job),
    ttl: job.tool.options.executorOpts?.jobCacheTtl ?? defaultTtl,
    maxAttempts: mayRepeat(job.tool) ? maxAttempts : 1,
  };
}
