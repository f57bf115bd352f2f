import type { RequestListener, Server } from "node:http";
import type { AuthOptions } from "./auth/auth-config.ts";
import type { Config } from "./config.ts";
import type { Guard } from "./auth/guard.ts";
import { openGuard } from "./auth/open-guard.ts";
import type { Gate } from "./auth/caller.ts";
import { createRateLimit, limitedGate } from "./http/rate-limit.ts";
import type { RateLimit } from "./http/rate-limit.ts";
import { answerBadRequest, frontDoor, healthPaths } from "./front-door.ts";
import type { FrontDoorRoutes, McpMount, McpMountOptions } from "./front-door.ts";
import { createAccessRules, isLoopback } from "./http/access-rules.ts";
import { createExecutor } from "./jobs/executor.ts";
import { loadExplainer } from "./jobs/load-explainer.ts";
import type { Executor } from "./jobs/executor.ts";
import type { JobStore } from "./jobs/store/job-store.ts";
import { openStore } from "./jobs/store/open-store.ts";
import { StoreError } from "./jobs/store/store-error.ts";
import { listen, urlOf } from "./listen.ts";
import { startOutbound } from "./outbound/start-outbound.ts";
import { systemClock } from "./platform/clock.ts";
import { openDelivery } from "./platform/open-delivery.ts";
import type { Delivery } from "./platform/delivery-to-log.ts";
import { platformSettings } from "./platform/platform-settings.ts";
import { mountRest } from "./rest/mount-rest.ts";
import type { Served } from "./served.ts";
import { StartError } from "./start-error.ts";
import { flushLogs, getLogger } from "./telemetry/logging.ts";
import { startTelemetry } from "./telemetry/start-telemetry.ts";
import type { Telemetry } from "./telemetry/start-telemetry.ts";
import type { Tool } from "./tool.ts";

const defaultBodyLimit = 1024 * 1024;
const defaultKept = 10_000;
/** Milliseconds in which new requests are still answered while the service stops, so that nobody's connection is reset. */
const lameDuck = 100;
/** Milliseconds that jobs of replaced tools get: as long as they take, in the longest time that a timer knows. */
const endless = 2 ** 31 - 1;
/** Milliseconds that open answers get once every job has ended. */
const answerPatience = 2000;

/** Milliseconds after which a started service loads what its first answers do not need. */
const loadPatience = 1000;

/** Options of the server that come from the entry. */
export interface ServerOptions {
  readonly host?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** Status of an answer without a result; default 202, and 204 for platforms that expect it. */
  readonly deferredStatus?: 202 | 204;
  /** Bytes that a request body may have; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Callers need an access token of an OAuth 2.1 authorisation server; what is left out comes from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}

export interface RunningServer {
  /** Where it listens, for example `http://127.0.0.1:8090`. */
  readonly url: string;
  /** Stops in order: no new jobs, running ones get the grace, then everything is closed. */
  stop(): Promise<void>;
  /** Serves something else on the same port; jobs of the old tools end in peace. */
  reload(next: Served): Promise<void>;
}

interface Core extends FrontDoorRoutes {
  readonly tools: readonly Tool[];
  readonly executor: Executor;
  readonly mcp: McpMount | undefined;
  close(graceMs: number): Promise<void>;
}

/** Listens and serves. No flags, signals or exits: see `startLambdaServer`. Throws `StartError`. */
export async function startServer(served: Served, config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  const telemetry = await startTelemetry({ served, config, kind: "server" });
  const stopOutbound = startOutbound(config.outbound);
  const store = await open(config.store, served.tools);
  const delivery = await openDelivery(config);
  const guard = await openGuard(served, config, healthPaths);
  const limit = config.rateLimit === undefined ? undefined : createRateLimit(config.rateLimit);
  const retired = new Map<string, Tool>();
  const shared: Shared = { store, delivery, telemetry, guard, limit, retired };
  let core = await createCore(served, config, options, shared);
  const replaced = new Set<Executor>();
  let draining = false;
  const listener = frontDoor(
    () => core,
    createAccessRules(config),
    () => draining,
  );
  const server = createServer(listener);
  try {
    await listen(server, config);
  } catch (error) {
    await store.close();
    stopOutbound();
    throw error;
  }
  warnOfOpenHost(config);
  void delivery.redeliver();
  loadLater();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    draining = true;
    const old = [...replaced].map((executor) => executor.drain(config.shutdownGrace));
    await Promise.all([core.close(config.shutdownGrace), ...old, systemClock.sleep(lameDuck)]);
    await Promise.all([close(server), delivery.close()]);
    await store.close();
    await telemetry.close();
    stopOutbound();
    await flushLogs();
  };
  return {
    url: urlOf(server, config.host),
    stop: () => (stopped ??= stop()),
    async reload(next) {
      const before = core;
      for (const tool of before.tools) retired.set(tool.name, tool);
      core = await createCore(next, config, options, shared, before.mcp);
      replaced.add(before.executor);
      void before.executor.drain(endless).then(() => replaced.delete(before.executor));
    },
  };
}

/** What the first mistake needs, before a deploy replaces the files of the service; not as long as somebody waits. */
function loadLater(): void {
  setTimeout(() => void Promise.resolve(loadExplainer()).catch(() => {}), loadPatience).unref();
}

/** What outlives a reload. */
interface Shared {
  readonly store: JobStore;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
  readonly guard: Guard | undefined;
  readonly limit: RateLimit | undefined;
  /** Tools of earlier builds by name, the last one of each. */
  readonly retired: ReadonlyMap<string, Tool>;
}

/** `mounted` goes on with what is served now, so that its clients stay connected. */
async function createCore(
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
    if (mcp === undefined) mcp = (await import("./mcp/mount-mcp.ts")).mountMcp(mount);
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
  return limit === undefined ? gate : limitedGate(limit, gate, healthPaths);
}

/** The store of a service. It keeps as many finished jobs as the tool that asks for most. */
export async function open(spec: string, tools: readonly Tool[]): Promise<JobStore> {
  const maxFinished = Math.max(...tools.map(({ options }) => options.executorOpts?.jobCacheSize ?? defaultKept));
  try {
    return await openStore(spec, { maxFinished, endLeases: true });
  } catch (error) {
    if (error instanceof StoreError) throw new StartError(error.message);
    throw error;
  }
}

function createServer(listener: RequestListener): Server {
  const server = process.getBuiltinModule("node:http").createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2000,
      // Longer than the 60 s of most load balancers: whoever closes first must not be us.
      keepAliveTimeout: 65_000,
    },
    listener,
  );
  server.maxConnections = 10_000;
  server.on("checkContinue", listener);
  server.on("clientError", answerBadRequest);
  return server;
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
