import type { Worker } from "node:worker_threads";
import { runnerMark, runnerVariable } from "./inside-thread.ts";
import type { JobSpan } from "../../job/job-span.ts";
import { logState } from "../../telemetry/log/log-state.ts";
import type { FromThread, ToThread } from "./messages.ts";
import type { RunningJob } from "../running/running-job.ts";

/** Settings for creating threads. */
export interface ThreadSource {
  /** URL of the file that every thread runs: the service itself. */
  readonly entry: string;
  /** Maximum number of threads. */
  readonly size: number;
}

/** Minimum heap of a thread in megabytes. */
const smallestHeap = 128;

export interface PooledThreadListener {
  message(message: FromThread): void;
  /** Called once when the thread has ended, with the reason. */
  gone(reason: Error): void;
}

/** One worker thread and its current job. */
export class PooledThread {
  job: RunningJob | undefined;
  /** The span of its current or last job: background work of that job may still end spans. */
  span: JobSpan | undefined;
  /** Shared flag for the job; the value 1 asks it to stop. */
  flag: Int32Array | undefined;
  ready = false;
  /** True after the thread was asked to end. */
  ending = false;
  timer: NodeJS.Timeout | undefined;
  /** Called once when the thread has no job any more. */
  readonly onFree = new Set<() => void>();
  readonly #worker: Worker;

  constructor({ entry, size }: ThreadSource, listener: PooledThreadListener) {
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    this.#worker = new Worker(new URL(entry), {
      workerData: { tenon: runnerMark, showsSource: logState().showsSource },
      env: { ...process.env, [runnerVariable]: "1" },
      // The arguments are passed on, since the guard of standard output reads the flags of the process.
      argv: process.argv.slice(2),
      name: "tenon-tool",
      resourceLimits: { maxOldGenerationSizeMb: heapOf(size) },
    });
    let reason: Error | undefined;
    this.#worker.on("message", (message: FromThread) => listener.message(message));
    this.#worker.on("messageerror", (error: Error) => (reason ??= error));
    this.#worker.on("error", (error: unknown) => {
      reason ??= error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on("exit", (code) => listener.gone(reason ?? exitError(code)));
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Keeps the process alive while the thread has a job, and not while it is idle. */
  hold(isBusy: boolean): void {
    if (isBusy) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Notifies the listeners that its job has ended. */
  freed(): void {
    for (const listener of this.onFree) listener();
    this.onFree.clear();
  }

  terminate(): Promise<unknown> {
    return this.#worker.terminate();
  }
}

function exitError(code: number): Error {
  const error = new Error(`The tool called process.exit(${code}), or its thread was ended.`);
  error.name = "SystemExit";
  return error;
}

/**
 * Returns the maximum heap of a thread in megabytes. All threads together get half of the memory, and each at most as
 * much as the process itself. If a thread needs more, only this thread ends.
 */
function heapOf(size: number): number {
  const limit = process.constrainedMemory();
  const total = process.getBuiltinModule("node:os").totalmem();
  const memory = limit > 0 ? Math.min(limit, total) : total;
  const { heap_size_limit: own } = process.getBuiltinModule("node:v8").getHeapStatistics();
  return Math.max(smallestHeap, Math.floor(Math.min(own, memory / 2 / size) / 1024 / 1024));
}
