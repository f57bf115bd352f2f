import type { Server } from "node:http";
import type { Config, ServerOptions } from "../service/config/config.ts";
import { headersTimeout } from "../service/config/http-limits.ts";
import { shortRequests } from "../fronts/http/short-request.ts";
import { watchConnections } from "../fronts/http/node/watch-connections.ts";
import { listen, urlOf } from "./parts/listen.ts";
import { prepareClients } from "../outside/outbound/patches/prepare-clients.ts";
import type { Served } from "../service/served.ts";
import type * as ServiceHooks from "./parts/service-hooks.ts";
import type { Serving } from "./parts/serving.ts";
import { getLogger } from "../telemetry/log/logging.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";

export interface RunningServer {
  /** Address of the server, for example `http://127.0.0.1:8090`. */
  readonly url: string;
  /** Request handling; loaded as soon as the server listens, or with its first request. */
  readonly serving: Promise<Serving>;
  /** Shuts down in order: no new jobs, a grace for running ones, then everything is closed. */
  stop(): Promise<void>;
  /** Replaces the tools on the same port; jobs of the old tools run to their end. */
  reload(next: Served): Promise<void>;
}

/**
 * Listens and serves. Handles no flags, signals or exits: see `startLambdaServer`. Throws `StartError`.
 *
 * The request handling is loaded after `listen`, while clients connect; their requests wait for it.
 */
export async function startServer(served: Served, config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  prepareClients();
  const telemetry = await startTelemetry({ served, config, kind: "server" });
  const { service } = served;
  if (service.onStart !== undefined) await (await loadHooks()).startObserved(service, config, telemetry);
  const server = createServer(config);
  const warn = (line: string): void => getLogger("tenon").warn(line);
  const sockets = watchConnections(server, config.limits.connections, warn);
  let opening: Promise<Serving> | undefined;
  const open = (): Promise<Serving> => (opening ??= load());
  const stopWaiting = answerBy(server, waiting(open));
  const load = async (): Promise<Serving> => {
    const { openServing } = await import("./parts/serving.ts");
    const serving = await openServing({ server, sockets }, served, config, options, telemetry);
    stopWaiting();
    answerBy(server, serving);
    return serving;
  };
  try {
    if (mayRefuse(served, config)) await open();
    await listen(server, config);
  } catch (error) {
    await (await loadHooks()).abandonStart(service, telemetry, opening);
    throw error;
  }
  const serving = new Promise<Serving>((resolve) => setImmediate(() => resolve(open())));
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(server, config.host),
    serving,
    stop: () => (stopped ??= open().then(({ stop }) => stop())),
    reload: async (next) => (await open()).reload(next),
  };
}

/** Loaded by a service with `onStart`, and when a start fails. */
const loadHooks = (): Promise<typeof ServiceHooks> => import("./parts/service-hooks.ts");

/**
 * True when loading the request handling may find a mistake in the configuration. Then it is loaded first, so that the
 * start fails before a client can connect.
 */
function mayRefuse({ tools, offers = [] }: Served, { store, auth, platformBaseUrl }: Config): boolean {
  const isPlain = store === "memory:" && auth === undefined && platformBaseUrl === undefined;
  return !isPlain || [...tools, ...offers].some(({ definition }) => definition.scopes !== undefined);
}

type Answering = Pick<Serving, "listener" | "answerBadRequest">;

/** Queues requests, and passes them on as soon as the request handling is loaded. */
function waiting(open: () => Promise<Answering>): Answering {
  return {
    listener: (request, response) =>
      void open().then(
        ({ listener }) => listener(request, response),
        () => response.destroy(),
      ),
    answerBadRequest: (error, socket) =>
      void open().then(
        (answering) => answering.answerBadRequest(error, socket),
        () => socket.destroy(),
      ),
  };
}

/** Attaches the handlers. Returns a function that removes them. */
function answerBy(server: Server, { listener, answerBadRequest }: Answering): () => void {
  const events = { request: listener, checkContinue: listener, clientError: answerBadRequest };
  for (const [name, listen] of Object.entries(events)) server.on(name, listen);
  return () => {
    for (const [name, listen] of Object.entries(events)) server.off(name, listen);
  };
}

function createServer({ limits, shortRequests: areShort }: Config): Server {
  const { createServer: create, IncomingMessage } = process.getBuiltinModule("node:http");
  return create({
    IncomingMessage: areShort ? shortRequests(IncomingMessage) : IncomingMessage,
    headersTimeout: Math.min(headersTimeout, limits.request),
    requestTimeout: limits.request,
    connectionsCheckingInterval: 2000,
    // Longer than the 60 s of most load balancers, since the server must not close an idle connection before they do.
    keepAliveTimeout: 65_000,
  });
}
