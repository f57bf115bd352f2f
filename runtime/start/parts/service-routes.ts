import { openDelivery } from "../../outside/platform/delivery/open-delivery.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { openGuard } from "../../fronts/auth/open-guard.ts";
import type { AccessRules } from "../../fronts/http/middleware/access-rules.ts";
import { middleware, healthPaths, openPaths, type ExchangeHandler } from "../../fronts/http/middleware/middleware.ts";
import { openCors } from "../../fronts/http/middleware/open-cors.ts";
import { openLimit } from "../../fronts/http/middleware/open-limit.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { openWorkplace, type Workplace } from "./open-workplace.ts";
import { createCore, type CoreOptions } from "./server-core.ts";

export interface RoutesOptions extends CoreOptions {
  /** False: tools with `@thread` run in the main thread. */
  readonly threads?: false;
  /** Paths that need no token; default: probes and pages. */
  readonly open?: ReadonlySet<string>;
  /** Paths that no limit counts; default: probes. */
  readonly uncounted?: ReadonlySet<string>;
  /** Job store, which the opened service closes. */
  readonly store: JobStore;
  readonly access: AccessRules;
  /** Awaited when all jobs have ended. */
  readonly onEnd: () => Promise<void>;
}

/** A service with all its routes and checks, for any kind of server. */
export interface ServiceRoutes {
  readonly handle: ExchangeHandler;
  /** Replaces the tools; running jobs of the old tools end normally. */
  reload(next: Served): Promise<void>;
  /** Accepts no more jobs, and gives running ones `graceMs` milliseconds. */
  drain(graceMs: number): Promise<void>;
  /** Closes everything, in order. Call it when all jobs have ended. */
  readonly close: Workplace["close"];
}

/**
 * Opens the routes of a service: REST, MCP, documents, health, metrics, limits.
 *
 * @throws StartError for an invalid configuration
 */
export async function openServiceRoutes(
  served: Served,
  config: Config,
  telemetry: Telemetry,
  options: RoutesOptions,
): Promise<ServiceRoutes> {
  const { store, open = openPaths, uncounted = healthPaths, threads, access, onEnd } = options;
  const { tools, service } = served;
  const delivery = await openDelivery(config);
  const guard = await openGuard(served, config, open, options);
  const limit = await openLimit(config.rateLimit, uncounted);
  const workplace = openWorkplace({ config, tools, telemetry, delivery, store, onEnd, threads });
  const shared = { workplace, guard, limit, store };
  const present = { core: await createCore(served, workplace.executor, config, options, shared) };
  if (telemetry.addGauge) (await import("./gauge-queue.ts")).gaugeQueue(telemetry, service, () => present.core);
  const cors = await openCors(config.allowedOrigins);
  return {
    handle: middleware(present, access, cors),
    async reload(next) {
      const { executor, mcp } = present.core;
      present.core = await createCore(next, workplace.openExecutor(next.tools), config, options, shared, mcp);
      workplace.retire(executor);
    },
    async drain(graceMs) {
      await workplace.drain(graceMs);
      await present.core.mcp?.close();
    },
    close: workplace.close,
  };
}
