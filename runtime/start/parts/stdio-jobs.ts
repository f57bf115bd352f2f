import { openDelivery } from "../../outside/platform/delivery/open-delivery.ts";
import type { McpPort } from "../../fronts/mcp/port/port.ts";
import { servicePort } from "../../fronts/mcp/service-port.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { openWorkplace, type Workplace } from "./open-workplace.ts";
import { runStartHook, runStopHook } from "./service-hooks.ts";

/**
 * Runs the calls of a client over standard input and output. Loaded after the first answer, which does not need a job.
 */
export interface StdioJobs extends Pick<Workplace, "drain" | "close"> {
  readonly port: McpPort;
}

/** Opens a workplace for one client over standard input and output. */
export async function openStdioJobs(served: Served, config: Config, telemetry: Telemetry): Promise<StdioJobs> {
  // Jobs are stored in memory, whatever store is configured, since finished jobs cannot be polled here.
  const delivery = await openDelivery(config);
  const onEnd = (): Promise<void> => runStopHook(served.service);
  const { executor, include, drain, close } = openWorkplace({
    config,
    tools: served.tools,
    telemetry,
    delivery,
    onEnd,
  });
  // The client's handshake is answered at once; its calls wait for `onStart`.
  await runStartHook(served.service, config);
  const { jobTools, toolSearch } = config;
  const port = servicePort({
    ...served,
    executor,
    include: (guest) => include(guest, executor),
    delivery,
    jobTools,
    toolSearch,
    calls: telemetry.calls,
    transport: "pipe",
  });
  return { port, drain, close };
}
