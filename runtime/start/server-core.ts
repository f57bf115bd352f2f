import type { Config } from "../service/config/config.ts";
import { devHost } from "./dev-host.ts";
import type { Guard } from "../fronts/auth/guard.ts";
import type { Gate } from "../fronts/http/gate.ts";
import type { Limit } from "../fronts/http/open-limit.ts";
import type { FrontDoorRoutes, McpMount } from "../fronts/http/front-door.ts";
import type { Executor } from "../executor/executor.ts";
import { mountRest } from "../fronts/rest/mount-rest.ts";
import type { Served } from "../service/served.ts";
import type { ServerOptions } from "../service/config/server-options.ts";
import type { Workplace } from "./open-workplace.ts";
import type { Tool } from "../service/tools/tool.ts";

/** The parts that outlive a reload. */
export interface Shared {
  readonly workplace: Workplace;
  readonly guard: Guard | undefined;
  readonly limit: Limit | undefined;
  /** Why nothing can be kept, for `/readyz`; undefined when all is well. */
  readonly trouble: () => Promise<string | undefined>;
}

/** The tools of one build, with their routes. */
export interface Core extends FrontDoorRoutes {
  readonly tools: readonly Tool[];
  readonly executor: Executor;
  readonly mcp: McpMount | undefined;
}

/**
 * Adds REST and, if requested, MCP to an executor.
 *
 * @param mounted The MCP front of an earlier build, which is kept so that its clients stay connected
 */
export async function createCore(
  served: Served,
  executor: Executor,
  config: Config,
  options: ServerOptions,
  shared: Shared,
  mounted?: McpMount,
): Promise<Core> {
  const { delivery, telemetry } = shared.workplace;
  const { service, version, tools } = served;
  const { deferredStatus = 202 } = options;
  const bodyLimit = config.limits.body;
  await executor.resume().catch(async (error: unknown) => {
    throw (await import("./resume-error.ts")).resumeError(error);
  });
  const { mayChange = false } = served;
  const watched = mayChange ? (await import("./watched-executor.ts")).underDev(executor, served, config) : executor;
  const rest = mountRest({
    tools,
    executor: watched,
    bodyLimit,
    version,
    documents: async () => (await import("./describe.ts")).restDocuments(served, config, deferredStatus),
    deferredStatus,
    delivery,
    trouble: shared.trouble,
    onPlatform: config.platformBaseUrl !== undefined,
    service: service.name,
    source: config.serviceId ?? service.name,
    // Under `tenon dev` the address alone leads to it.
    consolePaths: config.console ? ["/docs", ...(mayChange ? ["/"] : [])] : [],
    consoleAccess: shared.guard?.consoleAccess,
    changes: mayChange ? devHost()?.changes : undefined,
  });
  const routes = new Map(rest.routes);
  let mcp = mounted;
  if (config.flags.withMcp) {
    const { openMcp } = await import("./open-mcp.ts");
    mcp = openMcp(served, watched, config, shared.workplace, mounted);
    for (const [path, handle] of mcp.routes) routes.set(path, handle);
  }
  if (telemetry.metricsText !== undefined) {
    const { answerMetrics, metricsPath } = await import("../fronts/http/answer-metrics.ts");
    routes.set(metricsPath, answerMetrics(telemetry.metricsText));
  }
  return {
    routes,
    fallback: rest.fallback,
    gate: gateOf(served, shared),
    tools,
    executor,
    mcp,
  };
}

/** The gate before all routes; undefined when neither authorisation nor a limit is configured. */
function gateOf(served: Served, { guard, limit }: Shared): Gate | undefined {
  const gate = guard?.gate(served);
  return limit === undefined ? gate : limit(gate);
}
