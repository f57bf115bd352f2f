import { backOff, isLogged, longestPause } from "../../outside/platform/sidecar/back-off.ts";
import type { Clock } from "../../base/clock.ts";
import { call, type Verdict } from "../../outside/platform/sidecar/judge-answer.ts";
import type { SidecarClient } from "../../outside/platform/sidecar/sidecar-client.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { readJob, type Fetched, type FetchedJob } from "./read-job.ts";

/** Seconds that the sidecar should wait for a job before it answers. */
const longPoll = 20;
const defaultTimeout = 30_000;
/** Milliseconds to wait, after the stop, for the answer to an open request, since the answer may contain a job. */
const stopPatience = 500;
/** Minimum milliseconds between two requests without a job, even if the sidecar asks for no pause. */
const shortestPause = 250;
/** Maximum bytes of a job's request. */
const jobLimit = 16 * 1024 * 1024;

export interface FetchLoopOptions {
  readonly client: SidecarClient;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Milliseconds without a usable answer after which the loop gives up. */
  readonly patience: number;
  /** Timeout of one request in milliseconds; default 30 s. */
  readonly timeout?: number;
  /** Runs a job; resolves when its slot is free again. Never rejects. */
  readonly take: (job: FetchedJob) => Promise<void>;
}

/** `done`: the platform has no more jobs. `silent`: no usable answer came. `stopped`: `stop` was called. */
export type FetchEnd = "done" | "silent" | "stopped";

export interface FetchLoop {
  /** Resolves when fetching has ended and (except after `stop`) all jobs have ended. */
  readonly end: Promise<FetchEnd>;
  /** Reason of the last failure; empty after a success. */
  readonly problem: string;
  /** Stops fetching; resolves when no answer can come any more. */
  stop(): Promise<void>;
}

/** Fetches jobs as long as slots are free. */
export function startFetchLoop(options: FetchLoopOptions): FetchLoop {
  const loop = new Loop(options);
  loop.pump();
  return loop;
}

class Loop implements FetchLoop {
  readonly end: Promise<FetchEnd>;
  readonly #options: FetchLoopOptions;
  readonly #ended = Promise.withResolvers<FetchEnd>();
  readonly #quiet = Promise.withResolvers<void>();
  readonly #hurry = new AbortController();
  #over: FetchEnd | undefined;
  #asking = 0;
  #active = 0;
  /** Number of concurrent requests: one while there are no jobs, more with each job that arrives. */
  #window = 1;
  #paused: AbortController | undefined;
  #failures = 0;
  /** Time of the first of the latest requests that got no usable answer. */
  #silentSince: number | undefined;
  #lastProblem = "";
  #wait = true;

  constructor(options: FetchLoopOptions) {
    this.#options = options;
    this.end = this.#ended.promise;
  }

  get problem(): string {
    return this.#lastProblem;
  }

  async stop(): Promise<void> {
    this.#finish("stopped");
    await this.#quiet.promise;
  }

  pump(): void {
    if (this.#over === undefined) {
      if (this.#active === 0 && this.#asking === 0 && this.#isSilent()) this.#finish("silent");
      else if (this.#paused === undefined) {
        const free = this.#options.concurrency - this.#active;
        while (this.#asking < Math.min(this.#window, free)) void this.#ask();
      }
    }
    if (this.#over === undefined || this.#asking > 0) return;
    this.#quiet.resolve();
    if (this.#active === 0 || this.#over === "stopped") this.#ended.resolve(this.#over);
  }

  async #ask(): Promise<void> {
    const { client, clock, patience, timeout = defaultTimeout } = this.#options;
    this.#asking++;
    const sent = clock.now();
    const wait = this.#wait;
    const question = new AbortController();
    const hurry = (): void => void clock.sleep(stopPatience).then(() => question.abort());
    this.#hurry.signal.addEventListener("abort", hurry);
    const verdict = await call(client, {
      method: "GET",
      path: wait ? `/next_job?wait=${longPoll}` : "/next_job",
      headers: { Accept: "application/json" },
      timeout: Math.max(1000, Math.min(timeout, patience)),
      limit: jobLimit,
      signal: question.signal,
    });
    this.#hurry.signal.removeEventListener("abort", hurry);
    this.#asking--;
    this.#handle(verdict, sent);
    this.pump();
  }

  #handle(verdict: Verdict, sent: number): void {
    if (verdict.kind === "aborted") return;
    if (verdict.kind === "failed") {
      this.#silentSince = verdict.answered === true ? undefined : (this.#silentSince ?? sent);
      this.#backOff(sent, verdict.reason, verdict.retryAfter);
      return;
    }
    this.#silentSince = undefined;
    const fetched: Fetched =
      verdict.kind === "refused" || (verdict.kind === "stale" && verdict.answer.status !== 410)
        ? { kind: "unusable", reason: verdict.reason }
        : readJob(verdict.answer);
    if (fetched.kind === "unusable") {
      // The next request is sent without the query parameter, since some sidecars refuse unknown parameters.
      if (verdict.kind === "refused") this.#wait = !this.#wait;
      this.#backOff(sent, fetched.reason);
      return;
    }
    if (this.#failures > 0) getLogger("tenon").info({ failures: this.#failures }, "the sidecar gives answers again");
    this.#failures = 0;
    this.#lastProblem = "";
    if (fetched.kind === "done") this.#finish("done");
    else if (fetched.kind === "empty") {
      this.#window = 1;
      const past = this.#options.clock.now() - sent;
      void this.#pause(Math.max(Math.min(fetched.pause, longestPause), shortestPause - past));
    } else {
      this.#window = Math.min(this.#window * 2, this.#options.concurrency);
      this.#active++;
      void this.#options.take(fetched.job).then(() => {
        this.#active--;
        this.pump();
      });
    }
  }

  #backOff(sent: number, reason: string, asked?: number): void {
    const { clock, patience } = this.#options;
    this.#window = 1;
    // Requests that were open at the same time fail for the same reason, and count as one failure.
    if (this.#paused !== undefined) return;
    this.#failures++;
    if (reason !== this.#lastProblem || isLogged(this.#failures))
      getLogger("tenon").warn({ reason, failures: this.#failures }, "no job could be fetched, trying again");
    this.#lastProblem = reason;
    const wait = backOff(this.#failures, clock.random, asked);
    const left = this.#silentSince === undefined ? 0 : this.#silentSince + patience - clock.now();
    // The pause is shortened to the time at which the loop gives up; while jobs run, the loop does not give up.
    void this.#pause(left > 0 ? Math.min(wait, left) : wait);
  }

  async #pause(ms: number): Promise<void> {
    this.#paused?.abort();
    const pause = new AbortController();
    this.#paused = pause;
    await this.#options.clock.sleep(ms, pause.signal);
    if (this.#paused !== pause) return;
    this.#paused = undefined;
    this.pump();
  }

  #isSilent(): boolean {
    return (
      this.#silentSince !== undefined &&
      this.#paused === undefined &&
      this.#options.clock.now() - this.#silentSince >= this.#options.patience
    );
  }

  #finish(end: FetchEnd): void {
    if (this.#over !== undefined) return;
    this.#over = end;
    const pause = this.#paused;
    this.#paused = undefined;
    pause?.abort();
    this.#hurry.abort();
    this.pump();
  }
}
