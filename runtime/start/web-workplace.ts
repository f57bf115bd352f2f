import { openDelivery } from "../clients/platform/delivery/open-delivery.ts";
import { openGuard } from "../fronts/auth/open-guard.ts";
import type { Guard } from "../fronts/auth/guard.ts";
import type { Gate } from "../fronts/http/gate.ts";
import { openLimit } from "../fronts/http/open-limit.ts";
import { createWebMcp, type WebMcp } from "../fronts/mcp/http/web-mcp.ts";
import { servicePort } from "../fronts/mcp/service-port.ts";
import type { Config } from "../service/config/config.ts";
import type { Served } from "../service/served.ts";
import type { Tool } from "../service/tools/tool.ts";
import { getLogger } from "../telemetry/log/logging.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { JobStore } from "../executor/store/job-store.ts";
import { openWorkplace, type Workplace } from "./open-workplace.ts";
import { runStartHook, runStopHook } from "./service-hooks.ts";

/** The handlers in an application that speaks `Request` and `Response`. */
export interface WebWorkplace {
  readonly workplace: Workplace;
  readonly mcp: WebMcp;
  readonly gate: Gate | undefined;
  /** All metrics in Prometheus' text form; undefined where nobody asked for it. */
  readonly metricsText: Telemetry["metricsText"];
  /** Address at which the console signs in; undefined where callers need no token. */
  readonly consoleAccess: Guard["consoleAccess"] | undefined;
}

export interface WebWorkplaceOptions {
  /** Path of the MCP endpoint. */
  readonly mcpPath: string;
  /** Paths that need no token and count for no limit. */
  readonly open: ReadonlySet<string>;
  /** Bytes that a request body may have. */
  readonly bodyLimit: number;
  /** Default: one in memory. */
  readonly store?: JobStore;
}

export async function openWebWorkplace(
  served: Served,
  config: Config,
  options: WebWorkplaceOptions,
): Promise<WebWorkplace> {
  const { service } = served;
  const telemetry = await telemetryOf(served, config);
  let started = false;
  try {
    await runStartHook(service, config);
    started = true;
    return await openStarted(served, config, telemetry, options);
  } catch (error) {
    if (started) await runStopHook(service);
    await telemetry.close();
    throw error;
  }
}

async function openStarted(
  served: Served,
  config: Config,
  telemetry: Telemetry,
  { mcpPath, open, bodyLimit, store }: WebWorkplaceOptions,
): Promise<WebWorkplace> {
  const { tools, service } = served;
  const delivery = await openDelivery(config);
  const guard = await openGuard(served, config, open, mcpPath);
  const limit = await openLimit(config.rateLimit, open);
  const onEnd = (): Promise<void> => runStopHook(service);
  // A thread would run the entry once more, which starts a server of its own.
  const threads = false;
  const workplace = openWorkplace({ config, tools, telemetry, delivery, threads, onEnd, ...(store && { store }) });
  const { executor } = workplace;
  const { stateKey, jobTools, toolSearch } = config;
  const hasCallers = config.auth !== undefined;
  const { calls } = telemetry;
  const port = servicePort({ ...served, stateKey, jobTools, toolSearch, hasCallers, executor, delivery, calls });
  const mcp = createWebMcp({ port, onPlatform: config.platformBaseUrl !== undefined, bodyLimit });
  const gate = guard?.gate(served);
  const { metricsText } = telemetry;
  const consoleAccess = guard?.consoleAccess;
  return { workplace, mcp, gate: limit === undefined ? gate : limit(gate), metricsText, consoleAccess };
}

/** Takes no more calls, gives those that run the grace, and closes everything. */
export async function closeWebWorkplace({ workplace, mcp }: WebWorkplace, config: Config): Promise<void> {
  await workplace.drain(config.shutdownGrace);
  await mcp.close();
  await workplace.close();
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

/** @param call Name of the start call. */
export function warnOfThreads(tools: readonly Tool[], call: string): void {
  const names = tools.filter(({ definition }) => definition.thread === true).map(({ name }) => name);
  if (names.length === 0) return;
  getLogger("tenon").warn(
    `${names.join(", ")}: @thread has no effect with ${call}: the app serves nothing else while such a tool computes. ` +
      "Serve it with startLambdaServer and --with-mcp instead.",
  );
}
