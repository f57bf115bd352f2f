import { readConfig, type Config } from "../config.ts";
import type { McpMountOptions } from "../front-door.ts";
import { createExecutor } from "../jobs/executor.ts";
import { installShutdown } from "../jobs/shutdown.ts";
import { createMemoryStore } from "../jobs/store/memory.ts";
import { installStrayErrorHandlers } from "../jobs/stray-errors.ts";
import { isRunnerThread, serveAsThread } from "../jobs/threads.ts";
import { startOutbound } from "../outbound/start-outbound.ts";
import { openDelivery } from "../platform/open-delivery.ts";
import { platformSettings } from "../platform/platform-settings.ts";
import { resolveOffers } from "../resolve-offers.ts";
import { resolveTools } from "../resolve-tools.ts";
import { resolveVersion, type Service } from "../service.ts";
import { StartError } from "../start-error.ts";
import { flushLogs } from "../telemetry/logging.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { serveMcpStdio } from "./serve-mcp-stdio.ts";

/** Bytes that one message may have. */
const messageLimit = 1024 * 1024;
/** Cancelled calls get this long to notice, in milliseconds; with the answers' grace it stays under a second. */
const drainAtEnd = 100;

/**
 * Serves the tools of the process to one MCP client over standard input and output, without an HTTP server. When the
 * client closes the input, or a signal comes, running calls end and the process exits with code 0. A mistake of whoever
 * starts it is one line on stderr and exit code 1.
 *
 * ```ts
 * await runMcpStdio(new Service({ name: "Prime numbers" }));
 * ```
 *
 * Called by an entry itself it reads the environment and no flags: the command line is the entry's own. A service that is to
 * take the usual flags calls `startLambdaServer`, and is started with `--with-mcp-stdio`.
 *
 * @param given What the command line said, where somebody has read it.
 */
export async function runMcpStdio(service: Service, given?: Config): Promise<void> {
  if (isRunnerThread()) return serveAsThread(resolveTools());
  try {
    const config = given ?? readConfig(process.env, []);
    const version = resolveVersion(service, config.version, process.cwd());
    await runToTheEnd({ service, version, tools: resolveTools(), offers: resolveOffers() }, config);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
}

async function runToTheEnd(
  served: Pick<McpMountOptions, "service" | "version" | "tools" | "offers">,
  config: Config,
): Promise<never> {
  // Nobody can ask for a finished job here, so the jobs of one client are kept in memory whatever the store is.
  const delivery = await openDelivery(config);
  const telemetry = await startTelemetry({ served, config, kind: "server" });
  startOutbound(config.outbound);
  const executor = createExecutor({
    tools: served.tools,
    store: createMemoryStore(),
    sinks: delivery.sinks,
    observer: telemetry.jobs,
    platform: platformSettings(config),
  });
  const stdio = serveMcpStdio({
    ...served,
    jobTools: config.jobTools,
    executor,
    bodyLimit: messageLimit,
    delivery,
    calls: telemetry.calls,
  });
  void delivery.redeliver();
  const stop = async (): Promise<void> => {
    await executor.drain(config.shutdownGrace);
    stdio.close();
    await stdio.closed;
    await delivery.close();
    await telemetry.close();
    await flushLogs();
  };
  installShutdown({ stop });
  installStrayErrorHandlers(() => void stop().finally(() => process.exit(1)));
  await stdio.closed;
  await executor.drain(drainAtEnd);
  await delivery.close();
  await telemetry.close();
  await flushLogs();
  // Author code may hold timers and sockets open, and the client waits for our end.
  return process.exit(0);
}
