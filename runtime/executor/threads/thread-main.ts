import type { MessagePort } from "node:worker_threads";
import { ToolError } from "../../base/errors.ts";
import { jsonSafeFields } from "../../base/json-safe.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { logState, redirectLog } from "../../telemetry/log/log-state.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { currentJob, type CurrentJob } from "../../job/current-job.ts";
import { decodeRequest } from "../run/decode-request.ts";
import { encodeResult } from "../run/encode-result.ts";
import { collectResult } from "../../job/result-stream.ts";
import { jobContextOf } from "../run/job-context.ts";
import type { JobResult, PlatformGrant } from "../../job/job.ts";
import type { TracedJob } from "../../telemetry/spans/job-spans.ts";
import type { ThreadJobStarter } from "../../telemetry/sdk/thread-spans.ts";
import { receiveError, sendError, type FromThread, type ThreadTask, type ToThread } from "./messages.ts";
import type { ThreadBook } from "./thread-book.ts";

/**
 * Runs the jobs that the pool gives to this thread, one at a time, with the tools that the same bundle has registered
 * here. Never resolves: code after the start call of an entry does not run in a thread.
 */
export function runThread(port: MessagePort, tools: readonly Tool[]): Promise<never> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const send = (message: FromThread): void => port.postMessage(message);
  const tracing = threadTracing((message) => send({ kind: "span", message }));
  let running: Running | undefined;
  // Log records are sent to the pool: output of a thread is written only when its event loop turns, and would be lost
  // if the thread is terminated.
  redirectLog(
    logState(),
    (record) => send({ kind: "log", record }),
    (secret) => send({ kind: "secret", secret }),
  );
  port.on("message", (message: ToThread) => {
    if (message.kind === "abort") {
      const stopped = running;
      stopped?.inside(() => stopped.controller.abort(receiveError(message.reason)));
      send({ kind: "heard" });
      return;
    }
    if (message.kind === "book") {
      running?.book?.heard(message.answer);
      return;
    }
    if (message.kind === "grant") {
      if (running !== undefined) running.grant = message;
      return;
    }
    const tool = byName.get(message.tool);
    const own: Running = { controller: new AbortController(), grant: message, inside: (callback) => callback() };
    running = own;
    const end = (last: FromThread): void => {
      own.isOver = true;
      send(last);
    };
    void execute(message, tool, own, { send, tracing }).then(
      (result) => end({ kind: "succeeded", result }),
      (thrown: unknown) => {
        end({ kind: "failed", error: sendError(thrown) });
        own.inside(() => own.controller.abort(ToolError.from(thrown)));
      },
    );
  });
  process.on("unhandledRejection", (reason) => {
    getLogger("tenon").error({ error: describeThrown(reason) }, "unhandled rejection");
  });
  process.on("uncaughtException", (thrown) => {
    const job = currentJob.getStore();
    // The thread ends with the job that it runs: the rest of that job's code must not go on beside a retry.
    if (job === undefined || (job === running?.job && running.isOver !== true)) throw thrown;
    getLogger("tenon").error({ error: describeThrown(thrown) }, "uncaught exception after the job had ended");
  });
  send({ kind: "ready" });
  return new Promise(() => {});
}

/** The current job of this thread. */
interface Running {
  readonly controller: AbortController;
  /** Current token and attempt of the job. */
  grant: PlatformGrant;
  /** The job as its code sees it; set when its code begins. */
  job?: CurrentJob;
  /** Set once the job stores something. */
  book?: ThreadBook;
  /** Set when the job has ended; code that still runs then must not report as the next job of this thread. */
  isOver?: true;
  /** True while the function of the job only waits; the pool knows. */
  isIdle?: boolean;
  /** Calls a function as code of the job. */
  inside: (callback: () => void) => void;
}

async function execute(
  task: ThreadTask,
  tool: Tool | undefined,
  running: Running,
  { send, tracing }: { readonly send: (message: FromThread) => void; readonly tracing: ThreadTracing },
): Promise<JobResult> {
  if (tool === undefined)
    throw new Error(`The thread has no tool ${task.tool}: is it registered in the main thread only?`);
  const { id, caller, traceparent, flag } = task;
  if (task.isNoted) (await import("./note-calls.ts")).noteCalls(send);
  const span = await tracing(task, () => running.grant.authorization);
  const report = (message: FromThread): void => {
    if (running.isOver !== true) send(message);
  };
  const job: CurrentJob = {
    id,
    caller,
    tool,
    span,
    get authorization() {
      return running.grant.authorization;
    },
    get attempt() {
      return running.grant.attempt;
    },
    get traceparent() {
      return span?.traceparent ?? traceparent;
    },
    get tracestate() {
      return span === undefined ? task.tracestate : span.tracestate;
    },
    get baggage() {
      return span === undefined ? task.baggage : span.baggage;
    },
    signal: watchFlag(running.controller.signal, new Int32Array(flag)),
    emit(event, internal = false) {
      report({ kind: "event", schema: event.schema, fields: jsonSafeFields(event), internal });
    },
    async book() {
      if (running.book === undefined) {
        const { ThreadBook: Made } = await import("./thread-book.ts");
        running.book ??= new Made((call) => report({ kind: "book", call }));
      }
      return running.book.open();
    },
    idle(isIdle) {
      if (tool.definition.timeout === undefined || isIdle === (running.isIdle === true)) return;
      running.isIdle = isIdle;
      report({ kind: "idle", isIdle });
    },
    stop(error) {
      report({ kind: "book", call: { call: "stop", error: sendError(error) } });
    },
    platformSettings: task.platform,
    context: undefined,
  };
  running.job = job;
  const run = async (): Promise<JobResult> => {
    const request = await decodeRequest(tool, task.input);
    const value: unknown = await tool.functions.call(request as never, jobContextOf(job) as never);
    // The function has ended and waits for nothing any more, so the job stays in its process.
    job.busy = (job.busy ?? 0) + 1;
    job.idle?.(false);
    return collectResult(await encodeResult(tool.definition, tool.functions, value));
  };
  const inside = <T>(callback: () => T): T =>
    span === undefined ? currentJob.run(job, callback) : span.run(() => currentJob.run(job, callback));
  running.inside = inside;
  if (span === undefined) return inside(run);
  try {
    return await inside(run);
  } finally {
    span.endSteps();
  }
}

type ThreadTracing = (task: ThreadTask, token: () => string | undefined) => Promise<TracedJob | undefined>;

/** Creates the spans of a thread's jobs. Their code is loaded with the first job that has a span. */
function threadTracing(send: (message: object) => void): ThreadTracing {
  let loading: Promise<ThreadJobStarter> | undefined;
  let watching = false;
  return async (task, token) => {
    const { tracing } = task;
    if (tracing === undefined) return undefined;
    loading ??= import("../../telemetry/sdk/thread-spans.ts").then(({ traceThread }) => traceThread(send));
    const start = await loading;
    if (tracing.watchesCalls && !watching) {
      watching = true;
      (await import("../../telemetry/watch-outbound.ts")).watchOutbound();
    }
    const job = {
      get authorization() {
        return token();
      },
    };
    return start(job, task, tracing);
  };
}

/**
 * Returns a signal whose `aborted` changes even in a loop that never yields. Its `abort` event is fired when the
 * message arrives.
 */
function watchFlag(signal: AbortSignal, flag: Int32Array): AbortSignal {
  const { prototype } = AbortSignal;
  const get = (name: "aborted" | "reason"): unknown => Reflect.get(prototype, name, signal);
  const isSet = (): boolean => Atomics.load(flag, 0) === 1;
  const early = new ToolError("cancelled", "The job was stopped.");
  return Object.defineProperties(signal, {
    aborted: { get: () => get("aborted") === true || isSet() },
    reason: { get: () => (get("aborted") === true ? get("reason") : isSet() ? early : undefined) },
    throwIfAborted: {
      value: () => {
        if (signal.aborted) throw signal.reason;
      },
    },
  });
}
