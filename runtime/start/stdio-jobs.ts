import type { Config } from "../service/config/config.ts";
import { createExecutor } from "../executor/executor.ts";
import { installShutdown } from "./shutdown.ts";
import { createMemoryStore } from "../executor/store/memory.ts";
import { installStrayErrorHandlers } from "../executor/run/stray-errors.ts";
import { startOutbound } from "../clients/outbound/start-outbound.ts";
import { openDelivery } from "../clients/platform/delivery/open-delivery.ts";
import { platformSettings } from "../service/config/platform-settings.ts";
import type { Served } from "../service/served.ts";
import { flushLogs } from "../telemetry/log/logging.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { McpPort } from "../fronts/mcp/port/port.ts";
import { servicePort } from "../fronts/mcp/service-port.ts";

/** What runs the calls of a client over standard input and output. Loaded behind the first answer, which needs no job. */
export interface StdioJobs {
  readonly port: McpPort;
  /** Lets signals and stray errors end the process by `stop`. */
  handleProcessEvents(stop: () => Promise<void>): void;
  /** Takes no more calls, and gives those that run `graceMs` milliseconds. */
  drain(graceMs: number): Promise<unknown>;
  /** Delivers and writes what is left. */
  close(): Promise<void>;
}

export async function openStdioJobs(served: Served, config: Config, telemetry: Telemetry): Promise<StdioJobs> {
  // Nobody can ask for a finished job here, so the jobs of one client are kept in memory whatever the store is.
  const delivery = await openDelivery(config);
  startOutbound(config.outbound);
  const executor = createExecutor({
    tools: served.tools,
    store: createMemoryStore(),
    sinks: delivery.sinks,
    observer: telemetry.jobs,
    platform: platformSettings(config),
  });
  void delivery.redeliver();
  return {
    port: servicePort({
      ...served,
      executor,
      delivery,
      jobTools: config.jobTools,
      calls: telemetry.calls,
      transport: "pipe",
    }),
    handleProcessEvents(stop) {
      installShutdown({ stop });
      installStrayErrorHandlers(() => void stop().finally(() => process.exit(1)));
    },
    drain: (graceMs) => executor.drain(graceMs),
    async close() {
      await delivery.close();
      await telemetry.close();
      await flushLogs();
    },
  };
}
