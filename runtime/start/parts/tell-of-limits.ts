import type { Tool } from "../../service/tools/tool.ts";
import { getLogger } from "../../telemetry/log/logging.ts";

/** Logs that the limits of a service with a memory store apply only within one process. */
export function tellOfLimits(tools: readonly Tool[]): void {
  const names = tools
    .filter(({ definition: { limit, rate, debounce } }) => (limit ?? rate ?? debounce) !== undefined)
    .map(({ name }) => name);
  if (names.length === 0) return;
  getLogger("tenon").info(
    { tools: names },
    "Limits are those of this process: TENON_STORE is memory:. With postgres://… they hold over all replicas.",
  );
}
