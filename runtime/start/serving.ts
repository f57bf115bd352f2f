import type { RequestListener, Server } from "node:http";
import { openLimit } from "../fronts/http/open-limit.ts";
import { openGuard } from "../fronts/auth/open-guard.ts";
import type { Config } from "../service/config/config.ts";
import { answerBadRequest, frontDoor, healthPaths } from "../fronts/http/front-door.ts";
import { createAccessRules } from "../fronts/http/access-rules.ts";
import { isLoopback } from "../base/loopback.ts";
import { loadExplainer } from "../executor/run/load-explainer.ts";
import { systemClock } from "../base/clock.ts";
import { openDelivery } from "../clients/platform/delivery/open-delivery.ts";
import { openWorkplace } from "./open-workplace.ts";
import { createCore } from "./server-core.ts";
import type { Shared } from "./server-core.ts";
import { endProcessBy } from "./shutdown.ts";
import type { ServerOptions } from "../service/config/server-options.ts";
import type { Service } from "../service/service.ts";
import type { Served } from "../service/served.ts";
import { getLogger } from "../telemetry/log/logging.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { openServiceStore } from "./open-service-store.ts";
import { runStartHook, runStopHook } from "./service-hooks.ts";

/** Milliseconds in which new requests are still answered while the service stops, so that nobody's connection is reset. */
const lameDuck = 100;
/** Milliseconds that open answers get once every job has ended. */
const answerPatience = 2000;
/** Milliseconds after which a started service loads what its first answers do not need. */
const loadPatience = 1000;

/** What answers the requests of a server, and ends in order. */
export interface Serving {
  readonly listener: RequestListener;
  /** Answers what `node:http` could not read as a request. */
  readonly answerBadRequest: typeof answerBadRequest;
  /** Stops in order: no new jobs, running ones get the grace, then everything is closed. */
  stop(): Promise<void>;
  /** Serves something else on the same port; jobs of the old tools end in peace. */
  reload(next: Served): Promise<void>;
  /** Lets signals and stray errors end the process by `stop`. Returns the removal of the handlers. */
  handleProcessEvents(stop: () => Promise<void>): () => void;
}

/** Opens all that is behind the port of `server`. Throws `StartError` for what the configuration asks for and cannot have. */
export async function openServing(
  server: Server,
  served: Served,
  config: Config,
  options: ServerOptions,
  telemetry: Telemetry,
): Promise<Serving> {
  const store = await openServiceStore(config.store, served.tools);
  const delivery = await openDelivery(config);
  const guard = await openGuard(served, config, healthPaths);
  const limit = await openLimit(config.rateLimit, healthPaths);
  let { service } = served;
  const onEnd = (): Promise<void> => runStopHook(service);
  const workplace = openWorkplace({ config, tools: served.tools, telemetry, delivery, store, onEnd });
  const shared: Shared = { workplace, guard, limit };
  let core = await createCore(served, workplace.executor, config, options, shared);
  let draining = false;
  warnOfOpenHost(config);
  loadLater();
  return {
    listener: frontDoor(
      () => core,
      createAccessRules(config),
      () => draining,
    ),
    answerBadRequest,
    async stop() {
      draining = true;
      const ended = workplace.drain(config.shutdownGrace).then(() => core.mcp?.close());
      await Promise.all([ended, systemClock.sleep(lameDuck)]);
      await workplace.close({ beside: close(server) });
    },
    async reload(next) {
      await exchangeService(service, next.service, config);
      ({ service } = next);
      const { executor, mcp } = core;
      core = await createCore(next, workplace.openExecutor(next.tools), config, options, shared, mcp);
      workplace.retire(executor);
    },
    handleProcessEvents: endProcessBy,
  };
}

/**
 * Stops one service before the other starts, since both may keep their connections in a module that has not changed. The
 * old one starts again when the new one cannot.
 */
async function exchangeService(old: Service, next: Service, config: Config): Promise<void> {
  await runStopHook(old);
  try {
    await runStartHook(next, config);
  } catch (error) {
    await runStartHook(old, config);
    throw error;
  }
}

/** What the first mistake needs, before a deploy replaces the files of the service; not as long as somebody waits. */
function loadLater(): void {
  setTimeout(() => void Promise.resolve(loadExplainer()).catch(() => {}), loadPatience).unref();
}

function warnOfOpenHost({ host, allowedHosts }: Config): void {
  if (allowedHosts !== undefined || isLoopback(host)) return;
  getLogger("tenon").warn(
    `The Host header is not checked on ${host}. Set TENON_ALLOWED_HOSTS to the names that this service answers for.`,
  );
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), answerPatience);
  await closed;
  clearTimeout(timer);
}
