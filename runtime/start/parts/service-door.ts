import { openDelivery } from "../../outside/platform/delivery/open-delivery.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { openGuard } from "../../fronts/auth/open-guard.ts";
import type { AccessRules } from "../../fronts/http/door/access-rules.ts";
import { frontDoor, healthPaths, openPaths } from "../../fronts/http/door/front-door.ts";
import type { Door } from "../../fronts/http/door/front-door.ts";
import { openCors } from "../../fronts/http/door/open-cors.ts";
import { openLimit } from "../../fronts/http/door/open-limit.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { openWorkplace } from "./open-workplace.ts";
import type { Workplace } from "./open-workplace.ts";
import { createCore } from "./server-core.ts";
import type { CoreOptions } from "./server-core.ts";

export interface DoorOptions extends CoreOptions {
  /** False: tools with `@thread` run in this thread. */
  readonly threads?: false;
  /** Paths that need no token; default: probes and pages. */
  readonly open?: ReadonlySet<string>;
  /** Paths that count for no limit; default: probes. */
  readonly uncounted?: ReadonlySet<string>;
  /** It belongs to the door as soon as that is open. */
  readonly store: JobStore;
  readonly access: AccessRules;
  /** Awaited when all jobs have ended. */
  readonly onEnd: () => Promise<void>;
}

/** A service behind its door, whatever server stands in front of it. */
export interface ServiceDoor {
  readonly door: Door;
  /** Replaces the tools; jobs of the old ones run to their end. */
  reload(next: Served): Promise<void>;
  /** Takes no more jobs, and gives running ones `graceMs` milliseconds. */
  drain(graceMs: number): Promise<void>;
  /** Closes everything, in order. Call it when all jobs have ended. */
  readonly close: Workplace["close"];
}

/**
 * Opens everything behind the door of a service: REST, MCP, documents, health, metrics, limits.
 *
 * @throws StartError for a configuration that cannot be carried out
 */
export async function openServiceDoor(
  served: Served,
  config: Config,
  telemetry: Telemetry,
  options: DoorOptions,
): Promise<ServiceDoor> {
  const { store, open = openPaths, uncounted = healthPaths, threads, access, onEnd } = options;
  const { tools, service } = served;
  const delivery = await openDelivery(config);
  const guard = await openGuard(served, config, open, options.mcpPath);
  const limit = await openLimit(config.rateLimit, uncounted);
  const workplace = openWorkplace({ config, tools, telemetry, delivery, store, onEnd, threads });
  const shared = { workplace, guard, limit, store };
  const present = { core: await createCore(served, workplace.executor, config, options, shared) };
  if (telemetry.addGauge) (await import("./gauge-queue.ts")).gaugeQueue(telemetry, service, () => present.core);
  const cors = await openCors(config.allowedOrigins);
  return {
    door: frontDoor(present, access, cors),
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
