import { isDeepStrictEqual } from "node:util";
import { ToolError } from "../../base/errors.ts";
import type { Executor } from "../../executor/executor.ts";
import type { Parking } from "../../job/steps/kept-step.ts";
import type { Job, JobOutcome, JobUrn, PlatformGrant } from "../../job/job.ts";
import { backOff } from "../../outside/platform/sidecar/back-off.ts";
import { ownHeaders, type CallOwner } from "../../outside/platform/sidecar/call-owner.ts";
import type { Clock } from "../../base/clock.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import { call } from "../../outside/platform/sidecar/judge-answer.ts";
import { packResult, type ResultRequest } from "../../outside/platform/delivery/result-request.ts";
import { sidecarPath, type SidecarClient } from "../../outside/platform/sidecar/sidecar-client.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { LeaseKeeper } from "./lease.ts";
import type { FetchedJob } from "./read-job.ts";
import { createRecentResults } from "./recent-results.ts";

/** Pause in milliseconds after a repeated job, so that a sidecar with a single job does not cause a busy loop. */
const repeatPause = 1000;
/** Timeout in milliseconds for releasing a job, and for sending its events before that. */
const releaseTimeout = 1000;
/** Timeout in milliseconds for parking a job. */
const parkTimeout = 10_000;
/** Maximum number of attempts to park a job, which together take some minutes. */
const mostParkings = 12;

export interface JobTakerOptions {
  readonly tool: Tool;
  readonly executor: Executor;
  readonly delivery: Delivery;
  readonly client: SidecarClient;
  readonly leases: LeaseKeeper;
  readonly clock: Clock;
}

/** Runs fetched jobs to their end. */
export interface JobTaker {
  /** Runs a job and delivers its result; resolves when its slot is free. Never rejects. */
  take(job: FetchedJob): Promise<void>;
  /** Releases jobs that arrive from now on, if the sidecar supports it. */
  stop(): void;
  /** Resolves when no job is running. */
  settled(): Promise<void>;
}

/**
 * A run of a platform job in this process. During the run, the platform may hand the job out again, as another attempt.
 */
class Run {
  owner: PlatformGrant;
  readonly ended: Promise<void>;
  readonly end: () => void;
  job: Job | undefined;
  /** True when the platform no longer wants a result of this run. */
  dropped = false;
  letGo: () => void = () => {};

  constructor({ authorization, attempt }: FetchedJob) {
    this.owner = { authorization, attempt };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.end = resolve;
  }

  /** Continues the run as another attempt. */
  adopt({ authorization, attempt }: FetchedJob): void {
    const owner = { authorization, attempt };
    // A repeated job with the same token is ignored: a platform without leases may hand out the same job twice.
    if (isDeepStrictEqual(this.owner, owner)) return;
    this.owner = owner;
    this.job?.moveTo?.(owner);
  }
}

/** Creates a taker for the jobs of one tool. */
export function createJobTaker(options: JobTakerOptions): JobTaker {
  const { tool, executor, delivery, client, leases, clock } = options;
  const runs = new Map<JobUrn, Run>();
  const recent = createRecentResults();
  let stopping = false;

  function hold(run: Run, { id, attempt, leaseSeconds }: FetchedJob): void {
    run.letGo();
    if (leaseSeconds === undefined) return;
    run.letGo = leases.hold(
      { id: attempt.id, headers: ownHeaders(run.owner), seconds: leaseSeconds },
      (kind, reason) => {
        getLogger("tenon").warn(
          { job_id: id, reason },
          kind === "cancel" ? "job cancelled by the platform" : "job lost",
        );
        run.dropped = true;
        run.job?.cancel(reason);
      },
    );
  }

  async function execute(run: Run, fetched: FetchedJob): Promise<JobOutcome> {
    const { id, problem, content: input, authorization, traceparent, tracestate, baggage } = fetched;
    if (problem !== undefined) {
      getLogger("tenon").warn({ job_id: run.owner.attempt?.id, reason: problem.message }, "job cannot run");
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

  /** Releases a job without counting the attempt. Used when the worker must stop before the job has ended. */
  async function handBack(id: JobUrn, owner: CallOwner): Promise<void> {
    await Promise.race([delivery.flush(id), clock.sleep(releaseTimeout)]);
    const path = sidecarPath("jobs", owner.attempt?.id ?? id, "release");
    const verdict = await call(client, { method: "POST", path, headers: ownHeaders(owner), timeout: releaseTimeout });
    const log = getLogger("tenon");
    if (verdict.kind === "accepted") log.info({ job_id: id }, "job handed back");
    else
      log.warn(
        { job_id: id },
        "job could not be handed back: the platform gives it to another worker when its lease ends",
      );
  }

  /**
   * Parks a job until a time or a message. While the platform does not answer, the lease is renewed and parking is
   * retried.
   */
  async function park(id: JobUrn, run: Run, parking: Parking): Promise<void> {
    const log = getLogger("tenon");
    await delivery.flush(id);
    for (let failures = 1; !run.dropped; failures++) {
      const path = sidecarPath("jobs", run.owner.attempt?.id ?? id, "park");
      const headers = { ...ownHeaders(run.owner), "Content-Type": "application/json" };
      const body = JSON.stringify(parking);
      const verdict = await call(client, { method: "POST", path, headers, body, timeout: parkTimeout });
      if (verdict.kind === "accepted") return log.debug({ job_id: id }, "job parked");
      if (verdict.kind !== "failed" || stopping || failures >= mostParkings)
        return log.warn({ job_id: id }, "job could not be parked: it goes on when its lease ends");
      await clock.sleep(backOff(failures, clock.random, verdict.retryAfter));
    }
  }

  async function run(fetched: FetchedJob, run: Run): Promise<void> {
    const { id, leaseSeconds } = fetched;
    if (stopping && leaseSeconds !== undefined) {
      await handBack(id, run.owner);
      return;
    }
    hold(run, fetched);
    const outcome = await execute(run, fetched);
    if (run.dropped) return;
    const parking = run.job?.parking;
    if (parking !== undefined) return park(id, run, parking);
    if (leaseSeconds !== undefined && outcome.state === "error" && outcome.error.kind === "draining") {
      await handBack(id, run.owner);
      return;
    }
    const request = await deliver(id, run, outcome);
    if (request !== undefined && isFinal(outcome, leaseSeconds)) recent.add(id, request);
  }

  /**
   * Delivers the outcome of a job for its current attempt, even if the attempt changes meanwhile. Returns undefined if
   * the outcome was not stored.
   */
  async function deliver(id: JobUrn, run: Run, outcome: JobOutcome): Promise<ResultRequest | undefined> {
    for (;;) {
      let { owner } = run;
      const { request, end } = await delivery.deliver(id, () => packResult(id, (owner = run.owner), outcome));
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

  return {
    async take(fetched) {
      const { id } = fetched;
      const running = runs.get(id);
      if (running !== undefined && !running.dropped) {
        getLogger("tenon").info({ job_id: id }, "job delivered again while it runs: it goes on");
        running.adopt(fetched);
        hold(running, fetched);
        await Promise.all([running.ended, clock.sleep(repeatPause)]);
        return;
      }
      const next = new Run(fetched);
      runs.set(id, next);
      try {
        const known = recent.get(id);
        await (known === undefined ? run(fetched, next) : repeat(fetched, known));
      } catch (error) {
        getLogger("tenon").fatal({ job_id: id, error: describeThrown(error) }, "a job could not be taken to its end");
      } finally {
        next.letGo();
        if (runs.get(id) === next) runs.delete(id);
        next.end();
      }
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
