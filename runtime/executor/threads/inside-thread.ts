import { resolveOutboundPolicy } from "../../service/config/outbound-policy.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** What a worker thread finds in its `workerData`. */
export const runnerMark = "runner";

/** Set in the environment of such a thread, so that a process need not load the threads' module to know that it is none. */
export const runnerVariable = "TENON_THREAD";

/** Whether this thread was made to run jobs: start calls then listen for them instead of serving. */
export function isRunnerThread(): boolean {
  if (process.env[runnerVariable] === undefined) return false;
  const { isMainThread, workerData } = process.getBuiltinModule("node:worker_threads");
  return !isMainThread && (workerData as { readonly tenon?: unknown } | null)?.tenon === runnerMark;
}

/** In such a thread: runs jobs for ever. */
export async function serveAsThread(tools: readonly Tool[]): Promise<never> {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  if (parentPort === null) throw new Error("A runner thread has a parent.");
  const { runThread } = await import("./thread-main.ts");
  const { startOutbound } = await import("../../clients/outbound/start-outbound.ts");
  startOutbound(resolveOutboundPolicy(process.env));
  return runThread(parentPort, tools);
}
