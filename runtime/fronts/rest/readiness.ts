import type { Tool } from "../../service/tools/tool.ts";

/** The answer of `/readyz`. */
export interface Readiness {
  readonly status: "ready" | "draining" | "unavailable";
  /** Tools that are not ready. */
  readonly tools?: readonly string[];
}

const patienceMs = 5000;

/** Checks every tool. A rejection, or no answer within five seconds, means not ready. */
export async function readiness(tools: readonly Tool[], draining: boolean): Promise<Readiness> {
  if (draining) return { status: "draining" };
  const ready = await Promise.all(tools.map(isReady));
  const missing = tools.filter((_, index) => ready[index] !== true).map(({ name }) => name);
  return missing.length === 0 ? { status: "ready" } : { status: "unavailable", tools: missing };
}

async function isReady(tool: Tool): Promise<boolean> {
  const ask = tool.options.isReady;
  if (ask === undefined) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
