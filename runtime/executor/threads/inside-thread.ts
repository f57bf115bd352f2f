import { resolveOutboundPolicy } from "../../service/config/outbound-policy.ts";
import { logState } from "../../telemetry/log/log-state.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** Marker in the `workerData` of a worker thread. */
export const runnerMark = "runner";

/**
 * Name of an environment variable of threads that run jobs. With it, other processes need not load the module of
 * threads to find out that they are not such threads.
 */
export const runnerVariable = "TENON_THREAD";

/** True in a thread that was started to run jobs: start calls of the service then wait for jobs instead of serving. */
export function isRunnerThread(): boolean {
  if (process.env[runnerVariable] === undefined) return false;
  const { isMainThread, workerData } = process.getBuiltinModule("node:worker_threads");
  return !isMainThread && (workerData as { readonly tenon?: unknown } | null)?.tenon === runnerMark;
}

/** Runs jobs in a thread of the pool; never returns. */
export async function serveAsThread(tools: readonly Tool[]): Promise<never> {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  if (parentPort === null) throw new Error("A runner thread has a parent.");
  const { runThread } = await import("./thread-main.ts");
  const { startOutbound } = await import("../../outside/outbound/start-outbound.ts");
  startOutbound(resolveOutboundPolicy(process.env));
  // A thread has no terminal of its own: the process knows whether lines of the log show their place in the code.
  logState().showsSource ||= (workerData as { readonly showsSource?: unknown }).showsSource === true;
  return runThread(parentPort, tools);
}
