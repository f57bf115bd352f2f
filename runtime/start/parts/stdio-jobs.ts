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
  /** Resolves when `onStart` has ended. Rejects with a `StartError` when it fails. */
  readonly port: Promise<McpPort>;
}

/** Opens a workplace for one client over standard input and output. It can be closed while `onStart` runs. */
export async function openStdioJobs(served: Served, config: Config, telemetry: Telemetry): Promise<StdioJobs> {
  const { service, tools } = served;
  // Jobs are stored in memory, whatever store is configured, since finished jobs cannot be polled here.
  const delivery = await openDelivery(config);
  let isStarted = false;
  const onEnd = async (): Promise<void> => (isStarted ? runStopHook(service) : undefined);
  const { executor, include, drain, close } = openWorkplace({ config, tools, telemetry, delivery, onEnd });
  const { jobTools, toolSearch } = config;
  const { calls } = telemetry;
  // The client's handshake is answered at once; its calls wait for `onStart`.
  const port = runStartHook(service, config).then(() => {
    isStarted = true;
    return servicePort({
      ...served,
      executor,
      include: (guest) => include(guest, executor),
      delivery,
      jobTools,
      toolSearch,
      calls,
      transport: "pipe",
    });
  });
  // The caller learns of a failure when it awaits the port.
  port.catch(() => {});
  return { port, drain, close };
}
