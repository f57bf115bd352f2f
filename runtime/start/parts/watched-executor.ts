import type { Executor } from "../../executor/executor.ts";
import type { RunningJob } from "../../executor/running/running-job.ts";
import { parseTraceContext } from "../../job/trace-context.ts";
import { currentJob } from "../../job/current-job.ts";
import { newJobUrn } from "../../job/job-id.ts";
import type { JobObserver } from "../../job/job-span.ts";
import type { Job } from "../../job/job.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";
import { devHost, type DevHost, type JobStart } from "./dev-host.ts";

/** Notifies `tenon dev` of a build, and passes it every job. */
export function underDev(executor: Executor, served: Served, config: Pick<Config, "console">): Executor {
  const dev = devHost();
  dev?.loaded?.(served, config);
  if (dev !== undefined) {
    dev.jobOf = () => currentJob.getStore()?.id;
    dev.spanOf = () => parseTraceContext(currentJob.getStore()?.span?.traceparent)?.spanId;
  }
  if (dev?.began !== undefined) executor.observer = watchingObserver(executor.observer, dev.began, dev.joined);
  return dev?.started === undefined ? executor : watchedExecutor(executor, dev.started, dev.joined);
}

/**
 * Reports jobs where they begin to run, whoever has started them: only the running job has the thrown error, the job
 * that a start returns may wait, and is read from the store then.
 */
function watchingObserver(
  inner: JobObserver | undefined,
  began: (job: RunningJob) => void,
  joined: DevHost["joined"],
): JobObserver {
  return {
    began(job) {
      began(job as RunningJob);
      return inner?.began(job);
    },
    ended: (job) => inner?.ended(job),
    left: (job) => inner?.left?.(job),
    joined: (call, id) => joined?.(id, (call as RunningJob).input, call.id),
  };
}

/**
 * The executor of `tenon dev`: it stores every job, so that the console lists all jobs, and reports each job that is
 * started. In production a job that is answered at once is not stored, since that costs more than the rest of a call.
 */
function watchedExecutor(
  executor: Executor,
  started: (job: Job, start: JobStart) => void,
  joined: DevHost["joined"],
): Executor {
  return {
    start(submission) {
      const isKept = submission.id !== undefined || submission.idempotency !== undefined;
      const named = isKept ? submission : { ...submission, id: newJobUrn() };
      const job = executor.start(named);
      started(job, { origin: submission.client === undefined ? "rest" : "mcp", input: submission.input });
      // A store in memory answers at once with the job that the call has joined.
      if (named.id !== undefined && job.id !== named.id) joined?.(job.id, submission.input);
      return job;
    },
    keep: (job) => executor.keep(job),
    find: (id, owner) => executor.find(id, owner),
    store: executor.store,
    get jobs() {
      return executor.jobs;
    },
    cancel: (id, reason, owner) => executor.cancel(id, reason, owner),
    answer: (id, answers, owner) => executor.answer(id, answers, owner),
    send: (message, sender) => executor.send(message, sender),
    history: (job, hasValues) => executor.history(job, hasValues),
    async fork(old, from, owner) {
      const job = await executor.fork(old, from, owner);
      started(job, { origin: "fork", from: old.id });
      return job;
    },
    resume: () => executor.resume(),
    async fired(id, input) {
      // A job that has already ended is found in the store.
      const job = executor.jobs.find((running) => running.id === id) ?? (await executor.find(id));
      if (job !== undefined) started(job, { origin: "schedule", input });
    },
    get draining() {
      return executor.draining;
    },
    observer: executor.observer,
    requests: executor.requests,
    platform: executor.platform,
    drain: (graceMs) => executor.drain(graceMs),
  };
}
