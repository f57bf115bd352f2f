import type { Tool } from "../../service/tools/tool.ts";

/** The body of the answer of `/readyz`. */
export interface Readiness {
  readonly status: "ready" | "draining" | "unavailable";
  /** Tools that are not ready. */
  readonly tools?: readonly string[];
  /** Reason why no job can be stored, for example a full disk. */
  readonly reason?: string;
}

const patienceMs = 5000;

/**
 * Checks every tool, and the job store. A tool that rejects, or does not answer within five seconds, is not ready.
 *
 * @param trouble Gives the reason why no job can be stored; undefined when all is well.
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
