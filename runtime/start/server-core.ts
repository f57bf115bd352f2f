import type { Config } from "../service/config/config.ts";
import type { Guard } from "../fronts/auth/guard.ts";
import type { Gate } from "../fronts/http/caller.ts";
import type { FrontDoorRoutes, McpMount, McpMountOptions } from "../fronts/http/front-door.ts";
import { createExecutor } from "../executor/executor.ts";
import type { Executor } from "../executor/executor.ts";
import type { JobStore } from "../executor/store/job-store.ts";
import type { Delivery } from "../clients/platform/delivery/delivery-to-log.ts";
import { platformSettings } from "../service/config/platform-settings.ts";
import { mountRest } from "../fronts/rest/mount-rest.ts";
import type { Served } from "../service/served.ts";
import type { ServerOptions } from "../service/config/server-options.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Tool } from "../service/tools/tool.ts";

const defaultBodyLimit = 1024 * 1024;

/** What outlives a reload. */
export interface Shared {
  readonly store: JobStore;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
  readonly guard: Guard | undefined;
  readonly limit: ((gate: Gate | undefined) => Gate) | undefined;
  /** Tools of earlier builds by name, the last one of each. */
  readonly retired: ReadonlyMap<string, Tool>;
}

/** The tools of one build with everything that answers for them. */
export interface Core extends FrontDoorRoutes {
  readonly tools: readonly Tool[];
  readonly executor: Executor;
  readonly mcp: McpMount | undefined;
  close(graceMs: number): Promise<void>;
}

/** `mounted` goes on with what is served now, so that its clients stay connected. */
export async function createCore(
  served: Served,
  config: Config,
  options: ServerOptions,
  shared: Shared,
  mounted?: McpMount,
): Promise<Core> {
  const { store, delivery, telemetry } = shared;
  const { service, version, tools } = served;
  const { bodyLimit = defaultBodyLimit, deferredStatus = 202 } = options;
  const executor = createExecutor({
    tools,
    retired: [...shared.retired.values()],
    store,
    sinks: delivery.sinks,
    observer: telemetry.jobs,
    platform: platformSettings(config),
  });
  await executor.resume();
  const rest = mountRest({
    tools,
    executor,
    bodyLimit,
    version,
    documents: async () => (await import("./describe.ts")).restDocuments(served, config, deferredStatus),
    deferredStatus,
    delivery,
    onPlatform: config.platformBaseUrl !== undefined,
    source: config.serviceId ?? service.name,
  });
  const routes = new Map(rest.routes);
  let mcp = mounted;
  if (config.flags.withMcp) {
    const mount: McpMountOptions = {
      service,
      version,
      tools,
      offers: served.offers,
      executor,
      config,
      bodyLimit,
      delivery,
      calls: telemetry.calls,
      mayChange: served.mayChange,
    };
    if (mcp === undefined) mcp = (await import("../fronts/mcp/http/mount-mcp.ts")).mountMcp(mount);
    else mcp.replace(mount);
    routes.set("/mcp", mcp.handle);
  }
  return {
    routes,
    fallback: rest.fallback,
    gate: gateOf(served, shared),
    tools,
    executor,
    mcp,
    async close(graceMs) {
      await executor.drain(graceMs);
      await mcp?.close();
    },
  };
}

/** What stands in front of all routes; nothing where nobody asked for it. */
function gateOf(served: Served, { guard, limit }: Shared): Gate | undefined {
  const gate = guard?.gate(served);
  return limit === undefined ? gate : limit(gate);
}
