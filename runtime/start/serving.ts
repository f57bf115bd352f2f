import type { RequestListener, Server } from "node:http";
import { openGuard } from "../fronts/auth/open-guard.ts";
import type { Config } from "../service/config/config.ts";
import { answerBadRequest, frontDoor, healthPaths } from "../fronts/http/front-door.ts";
import { createAccessRules } from "../fronts/http/access-rules.ts";
import { isLoopback } from "../base/loopback.ts";
import type { Executor } from "../executor/executor.ts";
import { loadExplainer } from "../executor/run/load-explainer.ts";
import { installShutdown } from "./shutdown.ts";
import type { JobStore } from "../executor/store/job-store.ts";
import { openStore } from "../executor/store/open-store.ts";
import { StoreError } from "../executor/store/store-error.ts";
import { installStrayErrorHandlers } from "../executor/run/stray-errors.ts";
import { startOutbound } from "../clients/outbound/start-outbound.ts";
import { systemClock } from "../base/clock.ts";
import { openDelivery } from "../clients/platform/delivery/open-delivery.ts";
import { createCore } from "./server-core.ts";
import type { Shared } from "./server-core.ts";
import type { ServerOptions } from "../service/config/server-options.ts";
import type { Served } from "../service/served.ts";
import { StartError } from "../base/start-error.ts";
import { flushLogs, getLogger } from "../telemetry/log/logging.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Tool } from "../service/tools/tool.ts";

const defaultKept = 10_000;
/** Milliseconds in which new requests are still answered while the service stops, so that nobody's connection is reset. */
const lameDuck = 100;
/** Milliseconds that jobs of replaced tools get: as long as they take, in the longest time that a timer knows. */
const endless = 2 ** 31 - 1;
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
  const stopOutbound = startOutbound(config.outbound);
  const store = await open(config.store, served.tools);
  const delivery = await openDelivery(config);
  const guard = await openGuard(served, config, healthPaths);
  const limit = await openLimit(config);
  const retired = new Map<string, Tool>();
  const shared: Shared = { store, delivery, telemetry, guard, limit, retired };
  let core = await createCore(served, config, options, shared);
  const replaced = new Set<Executor>();
  let draining = false;
  warnOfOpenHost(config);
  void delivery.redeliver();
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
      const old = [...replaced].map((executor) => executor.drain(config.shutdownGrace));
      await Promise.all([core.close(config.shutdownGrace), ...old, systemClock.sleep(lameDuck)]);
      await Promise.all([close(server), delivery.close()]);
      await store.close();
      await telemetry.close();
      stopOutbound();
      await flushLogs();
    },
    async reload(next) {
      const before = core;
      for (const tool of before.tools) retired.set(tool.name, tool);
      core = await createCore(next, config, options, shared, before.mcp);
      replaced.add(before.executor);
      void before.executor.drain(endless).then(() => replaced.delete(before.executor));
    },
    handleProcessEvents(stop) {
      const removeStray = installStrayErrorHandlers(() => void stop().finally(() => process.exit(1)));
      const removeSignals = installShutdown({ stop });
      return () => {
        removeStray();
        removeSignals();
      };
    },
  };
}

/** What the first mistake needs, before a deploy replaces the files of the service; not as long as somebody waits. */
function loadLater(): void {
  setTimeout(() => void Promise.resolve(loadExplainer()).catch(() => {}), loadPatience).unref();
}

/** Few services have a limit. It counts for as long as the server runs, whatever it serves. */
async function openLimit({ rateLimit }: Config): Promise<Shared["limit"]> {
  if (rateLimit === undefined) return undefined;
  const { createRateLimit, limitedGate } = await import("../fronts/http/rate-limit.ts");
  const limit = createRateLimit(rateLimit);
  return (gate) => limitedGate(limit, gate, healthPaths);
}

/** The store of a service. It keeps as many finished jobs as the tool that asks for most. */
async function open(spec: string, tools: readonly Tool[]): Promise<JobStore> {
  const maxFinished = Math.max(...tools.map(({ options }) => options.executorOpts?.jobCacheSize ?? defaultKept));
  try {
    return await openStore(spec, { maxFinished, endLeases: true });
  } catch (error) {
    if (error instanceof StoreError) throw new StartError(error.message);
    throw error;
  }
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
