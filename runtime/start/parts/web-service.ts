import { toResponse } from "../../fronts/http/answer.ts";
import { problemAnswer } from "../../fronts/http/problem.ts";
import { answerWeb, type WebHost } from "../../fronts/http/web-exchange.ts";
import { refuse } from "../../fronts/mcp/http/http-route.ts";
import { readConfig, type Config, type ServerOptions } from "../../service/config/config.ts";
import { resolveVersion, type Service } from "../../service/service.ts";
import type { Served } from "../../service/served.ts";
import { resolveOffers, resolveTools } from "../../service/tools/resolve-tools.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { startTelemetry } from "../../telemetry/start-telemetry.ts";
import { noTelemetry, type Telemetry } from "../../telemetry/telemetry.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { openServiceStore } from "./open-service-store.ts";
import { openServiceRoutes, type RoutesOptions, type ServiceRoutes } from "./service-routes.ts";
import { runStartHook, runStopHook } from "./service-hooks.ts";
import { ToolError } from "../../base/errors.ts";
import { openedOnce } from "../../base/opened-once.ts";

export interface WebServiceOptions extends Omit<RoutesOptions, "onEnd" | "threads" | "store"> {
  readonly mcpPath: string;
  /** Beginning of the log line if the service cannot be opened. */
  readonly failure: string;
}

/** A service inside an application that uses `Request` and `Response`. */
export interface WebService {
  /** Opens the service before the first request. Never rejects; the next request tries again. */
  open(): Promise<Telemetry | undefined>;
  /** Answers a request. Never rejects. */
  answer(request: Request, host: WebHost): Promise<Response>;
  /** Accepts no more calls, gives running ones the grace period, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Reads configuration and tools of a service inside an application.
 *
 * @param call Name of the start call.
 * @throws StartError when there are no tools, or when a variable of the environment is invalid
 */
export function servedInApp(
  service: Service,
  call: string,
  { auth }: Pick<ServerOptions, "auth">,
): { readonly served: Served; readonly config: Config } {
  // The command line belongs to the application; MCP is served in any case.
  const config = readConfig(process.env, ["--with-mcp"], auth === undefined ? {} : { auth });
  const version = resolveVersion(service, config.version, process.cwd());
  const served: Served = { service, version, tools: resolveTools(), offers: resolveOffers() };
  const names = served.tools.filter(({ definition }) => definition.thread === true).map(({ name }) => name);
  if (names.length > 0)
    getLogger("tenon").warn(
      `${names.join(", ")}: @thread has no effect with ${call}: the app serves nothing else while such a tool computes. ` +
        "Serve it with startLambdaServer and --with-mcp instead.",
    );
  return { served, config };
}

/** Creates the service; its first request opens everything. */
export function createWebService(served: Served, config: Config, options: WebServiceOptions): WebService {
  const opening = openedOnce(() =>
    open(served, config, options).catch((error: unknown) => {
      getLogger("tenon").error(`${options.failure}: ${error instanceof Error ? error.message : String(error)}`);
      throw new ToolError("unavailable", "The service cannot start. Its log says why.", { retryAfter: 5 });
    }),
  );
  return {
    open: async () => (await opening.value().catch(() => undefined))?.telemetry,
    async answer(request, host) {
      try {
        const { handle } = await opening.value();
        return await answerWeb(handle, request, host);
      } catch (thrown) {
        return toResponse(host.path === options.mcpPath ? refuse(thrown) : problemAnswer(thrown));
      }
    },
    async stop() {
      const opened = await opening.settled();
      await opened?.drain(config.shutdownGrace);
      await opened?.close();
    },
  };
}

async function open(
  served: Served,
  config: Config,
  options: WebServiceOptions,
): Promise<ServiceRoutes & { readonly telemetry: Telemetry }> {
  const { service } = served;
  const telemetry = await telemetryOf(served, config);
  let store: JobStore | undefined;
  let started = false;
  try {
    await runStartHook(service, config);
    started = true;
    const onEnd = (): Promise<void> => runStopHook(service);
    store = await openServiceStore(config, served);
    // Threads are not used, since a thread would run the application's entry again, which would start another server.
    const opened = await openServiceRoutes(served, config, telemetry, { ...options, store, threads: false, onEnd });
    return { ...opened, telemetry };
  } catch (error) {
    if (started) await runStopHook(service);
    await store?.close();
    await telemetry.close();
    throw error;
  }
}

/** A mistake is logged, since the application has already started. */
async function telemetryOf(served: Served, config: Config): Promise<Telemetry> {
  try {
    return await startTelemetry({ served, config, kind: "server" });
  } catch (error) {
    getLogger("tenon").error(`No telemetry: ${error instanceof Error ? error.message : String(error)}`);
    return noTelemetry;
  }
}
