import { toResponse } from "../../fronts/http/answer.ts";
import { problemAnswer } from "../../fronts/http/problem.ts";
import { answerWeb } from "../../fronts/http/web-exchange.ts";
import type { WebHost } from "../../fronts/http/web-exchange.ts";
import { refuse } from "../../fronts/mcp/http/http-route.ts";
import { readConfig } from "../../service/config/config.ts";
import type { Config } from "../../service/config/config.ts";
import type { ServerOptions } from "../../service/config/server-options.ts";
import { resolveVersion } from "../../service/service.ts";
import type { Service } from "../../service/service.ts";
import type { Served } from "../../service/served.ts";
import { resolveOffers } from "../../service/tools/resolve-offers.ts";
import { resolveTools } from "../../service/tools/resolve-tools.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { startTelemetry } from "../../telemetry/start-telemetry.ts";
import { noTelemetry, type Telemetry } from "../../telemetry/telemetry.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { openServiceStore } from "./open-service-store.ts";
import { openServiceDoor } from "./service-door.ts";
import type { DoorOptions, ServiceDoor } from "./service-door.ts";
import { runStartHook, runStopHook } from "./service-hooks.ts";
import { ToolError } from "../../base/errors.ts";

export interface WebServiceOptions extends Omit<DoorOptions, "onEnd" | "threads" | "store"> {
  readonly mcpPath: string;
  /** Default: the configured store. */
  readonly openStore?: () => Promise<JobStore>;
  /** Beginning of the line in the log when it cannot be opened. */
  readonly failure: string;
}

/** A service in an application that speaks `Request` and `Response`. */
export interface WebService {
  /** Opens it before the first request. Never rejects; the next request tries again. */
  open(): Promise<Telemetry | undefined>;
  /** Answers a request. Never rejects. */
  answer(request: Request, host: WebHost): Promise<Response>;
  /** Takes no more calls, gives those that run the grace, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Reads configuration and tools of a service in somebody's application.
 *
 * @param call Name of the start call.
 * @throws StartError when there are no tools, or when a variable of the environment is wrong
 */
export function servedInApp(
  service: Service,
  call: string,
  { auth }: Pick<ServerOptions, "auth">,
): { readonly served: Served; readonly config: Config } {
  const config = readConfig(process.env, [], auth === undefined ? {} : { auth });
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
  const opening = openedOnce(() => open(served, config, options), options.failure);
  return {
    open: async () => (await opening.value().catch(() => undefined))?.telemetry,
    async answer(request, host) {
      try {
        const { door } = await opening.value();
        return await answerWeb(door, request, host);
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
): Promise<ServiceDoor & { readonly telemetry: Telemetry }> {
  const { service } = served;
  const { openStore = () => openServiceStore(config, served) } = options;
  const telemetry = await telemetryOf(served, config);
  let store: JobStore | undefined;
  let started = false;
  try {
    await runStartHook(service, config);
    started = true;
    const onEnd = (): Promise<void> => runStopHook(service);
    store = await openStore();
    // A thread would run the entry once more, which starts a server of its own.
    const opened = await openServiceDoor(served, config, telemetry, { ...options, store, threads: false, onEnd });
    return { ...opened, telemetry };
  } catch (error) {
    if (started) await runStopHook(service);
    await store?.close();
    await telemetry.close();
    throw error;
  }
}

/** It is too late to end the start of somebody's app, so that a mistake is told in the log. */
async function telemetryOf(served: Served, config: Config): Promise<Telemetry> {
  try {
    return await startTelemetry({ served, config, kind: "server" });
  } catch (error) {
    getLogger("tenon").error(`No telemetry: ${error instanceof Error ? error.message : String(error)}`);
    return noTelemetry;
  }
}

/** Something that the first request opens and all later ones use. */
interface OpenedOnce<T> {
  /**
   * Opens it, or waits until it is open. Rejects with a `ToolError` when that fails; the next call tries again, since a
   * host may keep the process for days.
   */
  value(): Promise<T>;
  /** The opened value, after it was asked for; undefined when it never was, or when it failed. Never rejects. */
  settled(): Promise<T | undefined>;
}

/** @param failure Beginning of the line in the log, for example `MCP cannot be served` */
function openedOnce<T>(open: () => Promise<T>, failure: string): OpenedOnce<T> {
  let opening: Promise<T> | undefined;
  return {
    value: () =>
      (opening ??= open().catch((error: unknown) => {
        getLogger("tenon").error(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
        opening = undefined;
        throw new ToolError("unavailable", "The service cannot start. Its log says why.", { retryAfter: 5 });
      })),
    settled: () => (opening ?? Promise.resolve(undefined)).catch(() => undefined),
  };
}
