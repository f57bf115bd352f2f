import type { Tool } from "../../service/tools/tool.ts";
import { getLogger } from "../../telemetry/log/logging.ts";

/** Logs that the limits of a service with a memory store apply only within one process. */
export function tellOfLimits(tools: readonly Tool[]): void {
  const names = tools.filter(({ functions }) => functions.limits !== undefined).map(({ name }) => name);
  getLogger("tenon").info(
    { tools: names },
    "Limits are those of this process: TENON_STORE is memory:. With postgres://… they hold over all replicas.",
  );
}
