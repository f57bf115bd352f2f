import type { Tool } from "../../service/tools/tool.ts";

/** The answer of `/readyz`. */
export interface Readiness {
  readonly status: "ready" | "draining" | "unavailable";
  /** Tools that are not ready. */
  readonly tools?: readonly string[];
  /** Why nothing can be kept, for example a full disk. */
  readonly reason?: string;
}

const patienceMs = 5000;

/**
 * Checks every tool, and where jobs are kept. A rejection of a tool, or no answer within five seconds, means not ready.
 *
 * @param trouble Why nothing can be kept; undefined when all is well.
 */
export async function readiness(
  tools: readonly Tool[],
  draining: boolean,
  trouble: () => Promise<string | undefined> = async () => undefined,
): Promise<Readiness> {
  if (draining) return { status: "draining" };
  const reason = await trouble();
  if (reason !== undefined) return { status: "unavailable", reason };
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
