import { AsyncLocalStorage } from "node:async_hooks";
import { ToolError } from "../../base/errors.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import { addSecret, logState, writeRecord } from "../../telemetry/log/log-state.ts";
import { PooledThread, type ThreadSource } from "./pooled-thread.ts";
import { fail } from "../run/run-job.ts";
import type { RunningJob } from "../running/running-job.ts";
import { type BookAnswer, type BookCall, receiveError, sendError, ThreadEvent, type FromThread } from "./messages.ts";
import { deliverCall } from "./deliver-call.ts";
import { grantOf, taskOf } from "./thread-task.ts";

/** Milliseconds within which a thread must react to a stop; otherwise it is terminated. */
const deafAfter = 250;
/** Milliseconds that a job gets for its cleanup after it has reacted to a stop. */
const abortPatience = 2000;
/** Timeout in milliseconds for the start of a thread. */
const startPatience = 30_000;

export interface ThreadPoolOptions extends ThreadSource {
  /** The platform that jobs use. */
  readonly platform: Pick<PlatformSettings, "baseUrl" | "localDir">;
}

/** Worker threads of the same bundle, each with one job at a time. */
export interface ThreadPool {
  /** Runs a job as soon as a thread is free. Never throws; the job ends with an outcome. */
  run(job: RunningJob): void;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** Creates a pool that starts threads on demand, and replaces those that die. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  return new Pool(options);
}

class Pool implements ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<PooledThread>();
  readonly #idle: PooledThread[] = [];
  readonly #waiting = new Set<RunningJob>();
  // Function that calls another one in an empty context, since threads and their messages must not run in the context
  // of the job that started them.
  readonly #outside = AsyncLocalStorage.snapshot();

  /** Runs a failed job once more. */
  readonly #again = (job: RunningJob): void => this.#outside(() => this.#queue(job));

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  run(job: RunningJob): void {
    if (job.ending !== undefined) return;
    job.signal.addEventListener("abort", () => this.#outside(() => this.#stop(job)), { once: true });
    this.#outside(() => this.#queue(job));
  }

  #queue(job: RunningJob): void {
    this.#waiting.add(job);
    job.idle(true);
    if (job.signal.aborted) this.#stop(job);
    this.#next();
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
    const thread: PooledThread = new PooledThread(this.#options, {
      message: (message) => this.#heard(thread, message),
      gone: (reason) => this.#gone(thread, reason),
    });
    thread.timer = setTimeout(() => end(thread), startPatience);
    this.#threads.add(thread);
  }

  #assign(thread: PooledThread, job: RunningJob): void {
    const flag = new SharedArrayBuffer(4);
    thread.job = job;
    job.clock?.restart();
    thread.flag = new Int32Array(flag);
    thread.hold(true);
    thread.send(taskOf(job, this.#options.platform, flag));
    thread.span = job.span;
    job.moved = () => {
      if (thread.job === job) thread.send(grantOf(job));
    };
  }

  #heard(thread: PooledThread, message: FromThread): void {
    const { job } = thread;
    if (message.kind === "log") return writeRecord(logState(), message.record);
    if (message.kind === "secret") return addSecret(message.secret);
    // Requests may end after their job.
    if (message.kind === "call") return deliverCall(message);
    // Messages of a thread that is being ended are ignored, since it must get no more jobs.
    if (thread.ending) return;
    switch (message.kind) {
      case "ready":
        thread.ready = true;
        this.#free(thread);
        break;
      case "heard":
        // The message may be about the previous job, which has ended meanwhile.
        if (job === undefined || !isStopping(thread)) break;
        clearTimeout(thread.timer);
        thread.timer = setTimeout(() => end(thread), abortPatience);
        break;
      case "event":
        job?.emit(new ThreadEvent(message.schema, message.fields), message.internal);
        break;
      case "book":
        if (job !== undefined) this.#book(thread, job, message.call);
        break;
      case "idle":
        job?.idle(message.isIdle);
        break;
      case "span":
        thread.span?.received(message.message);
        break;
      case "succeeded":
        if (job?.ending === undefined) job?.end({ state: "succeeded", result: message.result });
        this.#free(thread);
        break;
      case "failed":
        this.#free(thread);
        if (job !== undefined) fail(job, receiveError(message.error), this.#again);
    }
  }

  #free(thread: PooledThread): void {
    clearTimeout(thread.timer);
    thread.freed();
    thread.job = undefined;
    thread.flag = undefined;
    thread.hold(false);
    this.#idle.push(thread);
    this.#next();
  }

  /**
   * The thread has ended: by itself, by its job, or because the pool terminated it. Its job ends with it, and the next
   * job gets a new thread.
   */
  #gone(thread: PooledThread, reason: Error): void {
    clearTimeout(thread.timer);
    thread.freed();
    this.#threads.delete(thread);
    const idle = this.#idle.indexOf(thread);
    if (idle >= 0) this.#idle.splice(idle, 1);
    // If a thread fails to start, the first waiting job fails, so that a broken entry does not start threads for ever.
    const job = thread.job ?? (thread.ready ? undefined : this.#firstWaiting());
    if (job !== undefined) {
      this.#waiting.delete(job);
      if (isStopping(thread)) endStopped(job);
      else fail(job, reason, this.#again);
    }
    this.#next();
  }

  #book(thread: PooledThread, job: RunningJob, call: BookCall): void {
    const send = (answer: BookAnswer): void => {
      // The answer is dropped if the thread has ended the job meanwhile, and may have another one.
      if (thread.job === job) thread.send({ kind: "book", answer });
    };
    const endIt = (): boolean => {
      const hasJob = thread.job === job;
      if (hasJob) end(thread);
      return hasJob;
    };
    void import("./serve-book.ts").then(({ serveBook }) =>
      serveBook(job, call, { send, end: endIt, onFree: (listener) => thread.onFree.add(listener) }),
    );
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

function isStopping({ flag }: PooledThread): boolean {
  return flag !== undefined && Atomics.load(flag, 0) === 1;
}

function end(thread: PooledThread): void {
  thread.ending = true;
  void thread.terminate();
}

function endStopped(job: RunningJob): void {
  const reason: unknown = job.signal.reason;
  const error =
    reason instanceof ToolError ? reason : new ToolError("cancelled", "The job was stopped.", { cause: reason });
  job.end({ state: "error", error });
}
