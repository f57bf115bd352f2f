import type { Config } from "../../service/config/config.ts";
import { devHost } from "./dev-host.ts";
import type { Guard } from "../../fronts/auth/guard.ts";
import type { Gate } from "../../fronts/http/exchange.ts";
import type { Limit } from "../../fronts/http/middleware/open-limit.ts";
import type { RouteTable } from "../../fronts/http/middleware/middleware.ts";
import type { McpMount } from "../../fronts/mcp/http/mount-mcp.ts";
import type { Executor } from "../../executor/executor.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { mountRest } from "../../fronts/rest/mount-rest.ts";
import type { Served } from "../../service/served.ts";
import type { Workplace } from "./open-workplace.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** The parts that survive a reload. */
export interface Shared {
  readonly workplace: Workplace;
  readonly guard: Guard | undefined;
  readonly limit: Limit | undefined;
  readonly store: JobStore;
}

export interface CoreOptions {
  readonly deferredStatus?: 202 | 204 | undefined;
  /** Maximum bytes of a request body. */
  readonly bodyLimit: number;
  /** Path of the MCP endpoint; undefined: there is none. */
  readonly mcpPath: string | undefined;
  /** Path under which a host serves all routes; default none. */
  readonly base?: string | undefined;
}

/** The tools of one build, with their routes. */
export interface Core extends RouteTable {
  readonly tools: readonly Tool[];
  readonly executor: Executor;
  readonly mcp: McpMount | undefined;
}

/**
 * Adds REST and, if requested, MCP to an executor.
 *
 * @param mounted The MCP endpoint of an earlier build, which stays in use so that its clients remain connected
 */
export async function createCore(
  served: Served,
  executor: Executor,
  config: Config,
  options: CoreOptions,
  shared: Shared,
  mounted?: McpMount,
): Promise<Core> {
  const { workplace } = shared;
  const { delivery, telemetry } = workplace;
  const { service, version, tools } = served;
  const { deferredStatus = 202, bodyLimit, mcpPath, base } = options;
  const { mayChange = false } = served;
  const watched = mayChange ? (await import("./watched-executor.ts")).underDev(executor, served, config) : executor;
  await executor.resume().catch(async (error: unknown) => {
    throw (await import("./resume-error.ts")).resumeError(error);
  });
  if (tools.some(({ definition }) => definition.schedules)) {
    const { startSchedules } = await import("../../executor/schedules/schedules.ts");
    await startSchedules({ executor: watched, tools, service: service.name, addGauge: telemetry.addGauge });
  }
  const rest = mountRest({
    tools,
    executor: watched,
    bodyLimit,
    version,
    documents: async () => (await import("./describe.ts")).restDocuments(served, config, deferredStatus, base),
    deferredStatus,
    delivery,
    base,
    trouble: async () => (await import("./disk-trouble.ts")).diskTrouble(shared.store, config),
    onPlatform: config.platformBaseUrl !== undefined,
    service: service.name,
    source: config.serviceId ?? service.name,
    // In `tenon dev`, the console is also at the root.
    consolePaths: config.console ? ["/docs", ...(mayChange ? ["/"] : [])] : [],
    consoleAccess: shared.guard?.consoleAccess,
    dev: mayChange ? devHost() : undefined,
  });
  const routes = new Map(rest.routes);
  let mcp = mounted;
  if (mcpPath !== undefined) {
    const { mountMcp } = await import("../../fronts/mcp/http/mount-mcp.ts");
    const { calls } = telemetry;
    const include = (guest: Executor): void => workplace.include(guest, executor);
    const mount = { ...served, executor: watched, include, config, bodyLimit, mcpPath, base, delivery, calls };
    mcp = mountMcp(mount, { mounted });
    for (const [path, handle] of mcp.routes) routes.set(path, handle);
  }
  if (telemetry.metricsText !== undefined) {
    const { answerMetrics, metricsPath } = await import("../../fronts/http/answer-metrics.ts");
    routes.set(metricsPath, answerMetrics(telemetry.metricsText));
  }
  return {
    routes,
    fallback: rest.fallback,
    gate: gateOf(served, shared),
    refuse: mcp?.refuse,
    tools,
    executor,
    mcp,
  };
}

/** Makes the check that runs before all routes; undefined when neither authorisation nor a rate limit is configured. */
function gateOf(served: Served, { guard, limit }: Shared): Gate | undefined {
  const gate = guard?.gate(served);
  return limit === undefined ? gate : limit(gate);
}
