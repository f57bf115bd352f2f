import { readConfig, type Config, type ServerOptions } from "../service/config/config.ts";
import { isPrinting } from "../service/config/flags.ts";
import { devHost } from "./parts/dev-host.ts";
import { endProcess } from "../base/process/end-process.ts";
import { holdProcessEvents } from "../base/process/hold-process-events.ts";
import { requireNode } from "../base/process/require-node.ts";
import { isRunnerThread, serveAsThread } from "../executor/threads/inside-thread.ts";
import { forgetTools } from "../service/tools/registry.ts";
import { resolveOffers, forgetLambdas, resolveTools } from "../service/tools/resolve-tools.ts";
import type { Served } from "../service/served.ts";
import { resolveVersion, type Service } from "../service/service.ts";
import { StartError } from "../base/start-error.ts";
import { startServer, type RunningServer } from "./start-server.ts";

/** A listening server. */
export interface LambdaServer {
  /** Address of the server, for example `http://127.0.0.1:8090`. */
  readonly url: string;
  /** Shuts down in order: no new jobs, a grace for running ones, then everything is closed. */
  stop(): Promise<void>;
}

/**
 * Serves the tools of a service, as configured by command line and environment: REST, MCP, or a flag that prints
 * something and ends the process. Resolves when it listens. A mistake in the configuration prints one line to stderr
 * and ends the process with code 1, or 2 for a wrong flag.
 */
export async function startLambdaServer(service: Service, options: ServerOptions = {}): Promise<LambdaServer> {
  if (isRunnerThread()) return serveAsThread(resolveTools());
  const dev = devHost();
  if (dev !== undefined) dev.forgetTools = forget;
  try {
    requireNode();
    const config = readConfig(process.env, process.argv.slice(2), options);
    if (config.flags.help) return await (await import("./answer-flags.ts")).printHelp(service, "lambda");
    const served: Served = {
      service,
      version: resolveVersion(service, config.version, process.cwd()),
      tools: resolveTools(),
      offers: resolveOffers(),
      mayChange: dev !== undefined,
    };
    if (isPrinting(config.flags) || config.flags.testFile !== undefined)
      await (await import("./answer-flags.ts")).answerFlags(served, config, "lambda");
    if (config.flags.withMcpStdio) {
      const { runMcpStdio } = await import("./run-mcp-stdio.ts");
      await runMcpStdio(service, config);
      return await endProcess(0);
    }
    if (dev === undefined) return await run(served, config, options);
    if (dev.running === undefined) dev.running = await run(served, config, options);
    else await dev.running.reload(served);
    return dev.running;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    // In `tenon dev`, the last good build keeps running.
    if (dev?.running === undefined) return await endProcess(error.exitCode, "", `${error.message}\n`);
    if (dev.refused === undefined) process.stderr.write(`${error.message}\n`);
    else dev.refused(error.message);
    return dev.running;
  }
}

async function run(served: Served, config: Config, options: ServerOptions): Promise<RunningServer> {
  const server = await startServer(served, config, options);
  const tellProcessEvents = holdProcessEvents();
  const page = config.console ? ", console at /docs," : "";
  // `tenon dev` prints more details itself.
  if (served.mayChange !== true)
    process.stderr.write(`${served.service.name} ${served.version}${page} listens on ${server.url}\n`);
  const handling = server.serving
    .then(({ handleProcessEvents }) => handleProcessEvents(server.stop))
    .finally(tellProcessEvents);
  return {
    ...server,
    async stop() {
      const stopHandling = await handling;
      await server.stop();
      stopHandling();
    },
  };
}

function forget(sources: ReadonlySet<string>): void {
  forgetTools(sources);
  forgetLambdas();
}
