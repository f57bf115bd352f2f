import { ToolError } from "../../base/errors.ts";
import type { Executor } from "../../executor/executor.ts";
import type { JobOutcome, JobUrn } from "../../job/job.ts";
import { ownHeaders } from "../../outside/platform/sidecar/call-owner.ts";
import { packResult, type ResultRequest } from "../../outside/platform/delivery/result-request.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { JobRun } from "./job-run.ts";
import type { LeaseKeeper } from "./lease.ts";
import { handBack, park, type LeaveOptions } from "./leave-job.ts";
import type { FetchedJob } from "./read-job.ts";
import { createRecentResults } from "./recent-results.ts";

/** Pause in milliseconds after a repeated job, so that a sidecar with a single job does not cause a busy loop. */
const repeatPause = 1000;
/** Maximum number of results that the sidecar does not take and that let the next jobs run, as all are in memory. */
const mostAside = 8;

export interface JobTakerOptions extends LeaveOptions {
  readonly tool: Tool;
  readonly executor: Executor;
  readonly leases: LeaseKeeper;
}

/** Runs fetched jobs to their end. */
export interface JobTaker {
  /**
   * Runs a job and delivers its result. Resolves when its slot is free: at its end, or when the sidecar has often
   * answered without taking the result, which is retried. Never rejects.
   */
  take(job: FetchedJob): Promise<void>;
  /** Releases jobs that arrive from now on, if the sidecar supports it. */
  stop(): void;
  /** Resolves when no job is running and no result is retried. */
  settled(): Promise<void>;
}

/** Creates a taker for the jobs of one tool. */
export function createJobTaker(options: JobTakerOptions): JobTaker {
  const { tool, executor, delivery, leases, clock } = options;
  const runs = new Map<JobUrn, JobRun>();
  const recent = createRecentResults();
  const aside = new Set<JobRun>();
  let stopping = false;

  function hold(run: JobRun, { leaseSeconds: seconds }: FetchedJob): void {
    run.letGo();
    if (seconds === undefined) return;
    run.letGo = leases.hold({ id: run.name, headers: ownHeaders(run.owner), seconds }, run.hearLease);
  }

  async function execute(run: JobRun, fetched: FetchedJob): Promise<JobOutcome> {
    const { id, problem, content: input, authorization, traceparent, tracestate, baggage } = fetched;
    if (problem !== undefined) {
      getLogger("tenon").warn({ job_id: run.name, reason: problem.message }, "job cannot run");
      return { state: "failed", error: problem };
    }
    const { attempt } = run.owner;
    try {
      const sent = { traceparent, tracestate, baggage };
      run.job = executor.start({ tool, id, input, authorization, ...sent, attempt, repeatable: true });
    } catch (thrown) {
      return { state: "error", error: ToolError.from(thrown) };
    }
    return run.job.outcome ?? run.job.done;
  }

  async function run(fetched: FetchedJob, run: JobRun): Promise<void> {
    const { id, leaseSeconds } = fetched;
    if (stopping && leaseSeconds !== undefined) return handBack(run, options);
    hold(run, fetched);
    const outcome = await execute(run, fetched);
    leases.hear();
    if (run.dropped) return;
    const parking = run.job?.parking;
    if (parking !== undefined) return park(run, parking, options, () => stopping);
    if (leaseSeconds !== undefined && outcome.state === "error" && outcome.error.kind === "draining")
      return handBack(run, options);
    const request = await deliver(run, outcome);
    if (request !== undefined && isFinal(outcome, leaseSeconds))
      recent.add(id, { fingerprint: run.fingerprint, request });
  }

  function stepAside(run: JobRun): void {
    if (aside.size < mostAside) aside.add(run);
    if (aside.has(run)) run.stepAside();
  }

  /**
   * Delivers the outcome of a job for its current attempt, even if the attempt changes meanwhile. Returns undefined if
   * the outcome was not stored.
   */
  async function deliver(run: JobRun, outcome: JobOutcome): Promise<ResultRequest | undefined> {
    for (;;) {
      let { owner } = run;
      const pack = async (): Promise<ResultRequest | undefined> => {
        const request = await packResult(run.id, (owner = run.owner), outcome);
        leases.hear();
        return run.dropped ? undefined : request;
      };
      const { request, end } = await delivery.deliver(run.id, pack, () => stepAside(run));
      if (end === "stored") return request;
      if (end !== "stale" || run.owner === owner || run.dropped) return undefined;
    }
  }

  async function repeat(fetched: FetchedJob, { isError, contentType, body }: ResultRequest): Promise<void> {
    getLogger("tenon").info({ job_id: fetched.id }, "job delivered again: its result is sent again");
    const { authorization, attempt } = fetched;
    const headers = ownHeaders({ authorization, attempt });
    const request = { id: attempt.id, headers, isError, contentType, body };
    await delivery.deliver(fetched.id, () => Promise.resolve(request));
    await clock.sleep(repeatPause);
  }

  /** Goes on with a run whose job was handed out again meanwhile. */
  async function goOn(running: JobRun, fetched: FetchedJob): Promise<void> {
    getLogger("tenon").info({ job_id: running.id }, "job delivered again while it runs: it goes on");
    running.adopt(fetched);
    hold(running, fetched);
    await Promise.all([running.ended, clock.sleep(repeatPause)]);
  }

  async function runToEnd(next: JobRun, fetched: FetchedJob): Promise<void> {
    const { id } = next;
    runs.set(id, next);
    try {
      const known = recent.get(id);
      if (known?.fingerprint === next.fingerprint) await repeat(fetched, known.request);
      else {
        if (known !== undefined)
          getLogger("tenon").warn({ job_id: id }, "job delivered with another request or id than before: it runs");
        await run(fetched, next);
      }
    } catch (error) {
      getLogger("tenon").fatal({ job_id: id, error: describeThrown(error) }, "a job could not be taken to its end");
    } finally {
      next.letGo();
      aside.delete(next);
      if (runs.get(id) === next) runs.delete(id);
      next.end();
    }
  }

  return {
    async take(fetched) {
      const next = new JobRun(fetched);
      const { id, name, fingerprint } = next;
      for (let running = runs.get(id); running?.dropped === false; running = runs.get(id)) {
        if (running.fingerprint === fingerprint) return goOn(running, fetched);
        if (running.name === name) {
          // Its result would count for the new request.
          getLogger("tenon").warn({ job_id: id }, "job delivered with another request while it runs: it runs anew");
          running.drop("The platform has given another request under the id of the job.");
        } else {
          const ids = [running.name, name];
          getLogger("tenon").warn({ job_id: id, ids }, "two jobs have ids that mean the same: the second waits");
          hold(next, fetched);
          await running.ended;
          next.letGo();
          if (next.dropped) return undefined;
        }
      }
      void runToEnd(next, fetched);
      return next.passed;
    },
    stop() {
      stopping = true;
    },
    async settled() {
      while (runs.size > 0) await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
}

/**
 * True for a result that may be repeated from the cache. A result with a system error may not, since the platform
 * retries such a job as its next attempt.
 */
function isFinal(outcome: JobOutcome, leaseSeconds: number | undefined): boolean {
  return leaseSeconds === undefined || outcome.state === "succeeded" || outcome.state === "failed";
}
