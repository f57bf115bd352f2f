import { AsyncLocalStorage } from "node:async_hooks";
import { ToolError } from "../../base/errors.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import { logState, writeRecord } from "../../telemetry/log/log-state.ts";
import { PoolThread } from "./pool-thread.ts";
import type { ThreadSource } from "./pool-thread.ts";
import { fail } from "../run/run-job.ts";
import type { RunningJob } from "../running/running-job.ts";
import { ReceivedSpans } from "./thread-spans.ts";
import { receiveError, rebuildThrown, sendError, ThreadEvent } from "./thread-messages.ts";
import type { FromThread, ThreadGrant } from "./thread-messages.ts";

/** Milliseconds in which a thread must notice that its job is to stop; one that does not is deaf, and is ended. */
const deafAfter = 50;
/** Milliseconds that a job which has noticed gets to put its things away. */
const abortPatience = 2000;
/** Milliseconds that a thread may take to start. */
const startPatience = 30_000;

export interface ThreadPoolOptions extends ThreadSource {
  /** Threads at the same time. */
  readonly size: number;
  /** Where jobs find the platform. */
  readonly platform: Pick<PlatformSettings, "baseUrl" | "localDir">;
}

/** Worker threads of the same bundle, each with one job at a time. */
export interface ThreadPool {
  /** Runs a job that has begun, as soon as a thread is free. Never throws; the job ends with an outcome. */
  run(job: RunningJob): void;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** A pool that starts its threads when jobs need them, and replaces those that die. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  return new Pool(options);
}

class Pool implements ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<PoolThread>();
  readonly #idle: PoolThread[] = [];
  readonly #waiting = new Set<RunningJob>();
  // Threads and their messages belong to no job, whichever one made them necessary.
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  run(job: RunningJob): void {
    if (job.ending !== undefined) return;
    this.#waiting.add(job);
    job.signal.addEventListener("abort", () => this.#outside(() => this.#stop(job)), { once: true });
    if (job.signal.aborted) this.#stop(job);
    this.#outside(() => this.#next());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #next(): void {
    for (const job of this.#waiting) {
      const thread = this.#idle.pop();
      if (thread === undefined) break;
      this.#waiting.delete(job);
      this.#assign(thread, job);
    }
    let starting = 0;
    for (const thread of this.#threads) if (!thread.ready) starting++;
    while (starting < this.#waiting.size && this.#threads.size < this.#options.size) {
      this.#start();
      starting++;
    }
  }

  #start(): void {
    const thread: PoolThread = new PoolThread(this.#options, {
      message: (message) => this.#heard(thread, message),
      gone: (reason) => this.#gone(thread, reason),
    });
    thread.timer = setTimeout(() => end(thread), startPatience);
    this.#threads.add(thread);
  }

  #assign(thread: PoolThread, job: RunningJob): void {
    const { id, input, caller, traceparent, tracestate } = job;
    const flag = new SharedArrayBuffer(4);
    thread.job = job;
    thread.flag = new Int32Array(flag);
    thread.hold(true);
    const tool = job.tool.name;
    const { baseUrl, localDir } = this.#options.platform;
    thread.send({
      kind: "run",
      tool,
      input,
      id,
      caller,
      ...grantOf(job),
      traceparent,
      tracestate,
      platform: { baseUrl, localDir },
      hasSpan: job.span !== undefined,
      watchesCalls: job.span?.watchesCalls === true,
      flag,
    });
    thread.spans = job.span && new ReceivedSpans(job.span);
    job.moved = () => {
      if (thread.job === job) thread.send({ kind: "grant", ...grantOf(job) });
    };
  }

  #heard(thread: PoolThread, message: FromThread): void {
    const { job } = thread;
    if (message.kind === "log") return writeRecord(logState(), message.record);
    // What a thread says while it is ended comes too late: it must get no more jobs.
    if (thread.ending) return;
    switch (message.kind) {
      case "ready":
        thread.ready = true;
        this.#free(thread);
        break;
      case "heard":
        // It may be an answer about the job before, which ended by itself meanwhile.
        if (job === undefined || !isStopping(thread)) break;
        clearTimeout(thread.timer);
        thread.timer = setTimeout(() => end(thread), abortPatience);
        break;
      case "event":
        job?.emit(new ThreadEvent(message.schema, message.fields), message.internal);
        break;
      case "span":
        thread.spans?.apply(message.message, rebuildThrown);
        break;
      case "succeeded":
        if (job?.ending === undefined) job?.end({ state: "succeeded", result: message.result });
        this.#free(thread);
        break;
      case "failed":
        if (job !== undefined) fail(job, receiveError(message.error));
        this.#free(thread);
    }
  }

  #free(thread: PoolThread): void {
    clearTimeout(thread.timer);
    thread.job = undefined;
    thread.flag = undefined;
    thread.hold(false);
    this.#idle.push(thread);
    this.#next();
  }

  /** The thread has ended: by itself, by its job, or by us. Its job ends with it, and the next one gets a new thread. */
  #gone(thread: PoolThread, reason: Error): void {
    clearTimeout(thread.timer);
    this.#threads.delete(thread);
    const idle = this.#idle.indexOf(thread);
    if (idle >= 0) this.#idle.splice(idle, 1);
    // One that never got ready costs the first that waits for it, so that a broken entry is no endless loop of threads.
    const job = thread.job ?? (thread.ready ? undefined : this.#firstWaiting());
    if (job !== undefined) {
      this.#waiting.delete(job);
      if (isStopping(thread)) endStopped(job);
      else fail(job, reason);
    }
    this.#next();
  }

  #firstWaiting(): RunningJob | undefined {
    const [first] = this.#waiting;
    return first;
  }

  #stop(job: RunningJob): void {
    if (this.#waiting.delete(job)) {
      endStopped(job);
      return;
    }
    const thread = [...this.#threads].find((candidate) => candidate.job === job);
    if (thread?.flag === undefined) return;
    Atomics.store(thread.flag, 0, 1);
    thread.send({ kind: "abort", reason: sendError(job.signal.reason) });
    thread.timer = setTimeout(() => end(thread), deafAfter);
  }
}

function grantOf({ authorization, attempt }: RunningJob): Pick<ThreadGrant, "authorization" | "attempt"> {
  return { authorization, attempt: attempt && { ...attempt } };
}

function isStopping({ flag }: PoolThread): boolean {
  return flag !== undefined && Atomics.load(flag, 0) === 1;
}

function end(thread: PoolThread): void {
  thread.ending = true;
  void thread.terminate();
}

function endStopped(job: RunningJob): void {
  const reason: unknown = job.signal.reason;
  const error =
    reason instanceof ToolError ? reason : new ToolError("cancelled", "The job was stopped.", { cause: reason });
  job.end({ state: "error", error });
}
