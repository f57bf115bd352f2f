import type { RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import type { Config, ServerOptions } from "../../service/config/config.ts";
import { nodeListener, type NodeServer } from "../../fronts/http/node/node-exchange.ts";
import { largeAnswer } from "../../fronts/http/node/announce-large.ts";
import type { EarlyAnswer } from "../../fronts/http/node/watch-clients.ts";
import { createAccessRules } from "../../fronts/http/middleware/access-rules.ts";
import type * as BadRequest from "../../fronts/http/node/answer-bad-request.ts";
import { loadKept } from "../../executor/kept/load-kept.ts";
import { loadExplainer } from "../../executor/run/load-explainer.ts";
import { systemClock } from "../../base/clock.ts";
import { openedOnce } from "../../base/opened-once.ts";
import { openServiceRoutes } from "./service-routes.ts";
import { openServiceStore } from "./open-service-store.ts";
import { endProcessBy } from "./shutdown.ts";
import type { Served } from "../../service/served.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";

/** Milliseconds for which new requests are still answered during the shutdown, so that no connection is reset. */
const lameDuck = 100;
/** Milliseconds for pending answers after every job has ended. */
const answerPatience = 2000;
/** Milliseconds after the start until code is loaded that is not needed for the first answers. */
const loadPatience = 1000;

/** Handles the server's requests and shuts everything down in order. */
export interface Serving {
  readonly listener: RequestListener;
  /** Answers data that `node:http` could not parse as a request. */
  readonly answerBadRequest: (error: NodeJS.ErrnoException, socket: Duplex) => void;
  /** Shuts down in order: no new jobs, a grace for running ones, then everything is closed. */
  stop(): Promise<void>;
  /** Replaces the tools on the same port; jobs of the old tools run to their end. */
  reload(next: Served): Promise<void>;
  /**
   * Installs handlers that end the process by `stop` after signals and uncaught errors. Returns a function that removes
   * them.
   */
  handleProcessEvents(stop: () => Promise<void>): () => void;
}

/** A server and its open connections. */
interface Port {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
}

/** Opens everything that handles the requests of `server`. Throws `StartError` for an invalid configuration. */
export async function openServing(
  { server, sockets }: Port,
  served: Served,
  config: Config,
  options: ServerOptions,
  telemetry: Telemetry,
): Promise<Serving> {
  let { service } = served;
  // Loaded at the start, since a deployment may replace the files before the service stops.
  const hooks =
    (service.onStart ?? service.onStop ?? served.mayChange) ? await import("./service-hooks.ts") : undefined;
  const warn = (line: string): void => getLogger("tenon").warn(line);
  const { handle, ...opened } = await openServiceRoutes(served, config, telemetry, {
    store: await openServiceStore(config, served),
    bodyLimit: config.limits.body,
    deferredStatus: options.deferredStatus,
    mcpPath: config.flags.withMcp ? "/mcp" : undefined,
    access: createAccessRules({ ...config, warn }),
    onEnd: async () => hooks?.runStopHook(service),
  });
  const state: { -readonly [Member in keyof NodeServer]: NodeServer[Member] } = { isDraining: false };
  const early: EarlyAnswer[] = [];
  const keepEarly = (...answer: EarlyAnswer): void => {
    early.push(answer);
    void watch().catch(() => {});
  };
  server.on(largeAnswer, keepEarly);
  const loadWatch = async (): Promise<void> => {
    const { watchClients } = await import("../../fronts/http/node/watch-clients.ts");
    server.off(largeAnswer, keepEarly);
    Object.assign(state, watchClients(server, sockets, { limits: config.limits, early: early.splice(0), warn }));
  };
  const watch = openedOnce(loadWatch).value;
  loadLater(watch);
  return {
    listener: nodeListener(handle, state),
    answerBadRequest: (error, socket) =>
      void loadBadRequest().then(
        ({ answerBadRequest }) => answerBadRequest(error, socket),
        () => socket.destroy(),
      ),
    async stop() {
      state.isDraining = true;
      await Promise.all([opened.drain(config.shutdownGrace), systemClock.sleep(lameDuck)]);
      await opened.close({ beside: close(server) });
    },
    async reload(next) {
      await hooks?.exchangeService(service, next.service, config);
      ({ service } = next);
      await opened.reload(next);
    },
    handleProcessEvents: endProcessBy,
  };
}

/**
 * Loads code for errors, stored jobs, slow readers and the routes beside the tools. This happens before a deployment
 * replaces the files of the service, but not while a request waits.
 */
function loadLater(watch: () => Promise<void>): void {
  setTimeout(() => {
    // If loading fails, it is repeated: many connections at once may have used up all file descriptors.
    const routes = [import("../../fronts/rest/routes.ts"), import("./describe.ts")];
    Promise.all([loadExplainer(), loadKept(), loadBadRequest(), watch(), ...routes]).catch(() => loadLater(watch));
  }, loadPatience).unref();
}

function loadBadRequest(): Promise<typeof BadRequest> {
  return import("../../fronts/http/node/answer-bad-request.ts");
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
