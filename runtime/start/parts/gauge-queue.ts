import { serviceKey } from "../../contract/definition/service-key.ts";
import type { Executor } from "../../executor/executor.ts";
import { queueOf } from "../../executor/queue.ts";
import type { Service } from "../../service/service.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { addQueueGauges } from "../../telemetry/spans/queue-gauges.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";

/**
 * Adds the figures of `GET /queue` to the metrics. @param present Gives the service of the current build, which a
 * reload replaces
 */
export function gaugeQueue(
  { addGauge }: Pick<Telemetry, "addGauge">,
  { name }: Service,
  present: () => { readonly executor: Executor; readonly tools: readonly Tool[] },
): void {
  if (addGauge === undefined) return;
  const service = serviceKey(name);
  addQueueGauges(addGauge, async () => {
    const { executor, tools } = present();
    const names = tools.map((tool) => tool.name);
    const figures = await queueOf({ jobs: executor.jobs, store: executor.store, tools: names });
    return figures.map((queue) => ({ ...queue, attributes: { service, tool: queue.tool } }));
  });
}
