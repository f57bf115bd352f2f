import { devHostKey } from "../../contract/process-keys.ts";
import { currentJob } from "../../job/current-job.ts";
import { parseTraceContext } from "../../job/trace-context.ts";
import { logState } from "../../telemetry/log/log-state.ts";
import type { SeenSpan } from "../../telemetry/sdk/dev-spans.ts";
import { watchCalls, type NotedCall } from "../../telemetry/watch-calls.ts";
import type { FromThread } from "./messages.ts";

/**
 * Sends the outbound requests of this thread's jobs, and the spans of their code, to the main thread, where `tenon dev`
 * notes them.
 */
export function noteCalls(send: (message: FromThread) => void): void {
  if (Reflect.has(globalThis, devHostKey)) return;
  const { threadId } = process.getBuiltinModule("node:worker_threads");
  const keys = new WeakMap<NotedCall, string>();
  let last = 0;
  const sendCall = (job: string, call: NotedCall): void => {
    const key = keys.get(call) ?? `${threadId}:${(last += 1)}`;
    keys.set(call, key);
    send({ kind: "call", job, call, key });
  };
  watchCalls({
    jobOf: () => currentJob.getStore()?.id,
    placeOf: () => ({ span: parseTraceContext(currentJob.getStore()?.span?.traceparent)?.spanId }),
    note: sendCall,
    changed: sendCall,
    clean: (text) => logState().redactor.text(text),
  });
  // The processor of spans finds its `tenon dev` by this key.
  Reflect.set(globalThis, devHostKey, {
    span: (job: string, { name, from, took, error, id, span }: SeenSpan) =>
      sendCall(job, { kind: "span", name, from, took, id, span, ...(error !== undefined && { error }) }),
  });
}
