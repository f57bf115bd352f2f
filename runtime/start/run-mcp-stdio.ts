import { mostLines, shortInstructions } from "../contract/definition/short-instructions.ts";
import { stdoutKey } from "../contract/process-keys.ts";
import { readConfig, type Config } from "../service/config/config.ts";
import { holdProcessEvents } from "../base/process/hold-process-events.ts";
import { requireNode } from "../base/process/require-node.ts";
import { isRunnerThread, serveAsThread } from "../executor/threads/inside-thread.ts";
import { prepareClients } from "../outside/outbound/patches/prepare-clients.ts";
import { resolveOffers, resolveTools } from "../service/tools/resolve-tools.ts";
import type { Served } from "../service/served.ts";
import { resolveVersion, type Service } from "../service/service.ts";
import { StartError } from "../base/start-error.ts";
import { isStdoutGuarded } from "../base/process/stdout-guard.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { serveMcpStdio } from "../fronts/mcp/stdio/serve-mcp-stdio.ts";
import type { StdioJobs } from "./parts/stdio-jobs.ts";

/** Milliseconds that cancelled calls get to end; together with the grace period for answers this is below a second. */
const drainAtEnd = 100;

/**
 * Serves the tools of the process to one MCP client over standard input and output, without an HTTP server. When the
 * client closes the input, or on a signal, running calls end and the process exits with code 0. A mistake in the
 * configuration prints one line to stderr, with exit code 1.
 *
 * ```ts
 * await runMcpStdio(new Service({ name: "Prime numbers" }));
 * ```
 *
 * Called by an entry, it reads the environment and no flags: the command line belongs to the entry. A service with the
 * usual flags calls `startLambdaServer`, and is started with `--with-mcp-stdio`.
 *
 * @param given The configuration, if the command line has been parsed already.
 */
export async function runMcpStdio(service: Service, given?: Config): Promise<void> {
  if (isRunnerThread()) return serveAsThread(resolveTools());
  try {
    requireNode();
    const config = given ?? readConfig(process.env, []);
    const version = resolveVersion(service, config.version, process.cwd());
    await runToTheEnd({ service, version, tools: resolveTools(), offers: resolveOffers() }, config);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
}

async function runToTheEnd(served: Served, config: Config): Promise<never> {
  prepareClients();
  const telemetry = await startTelemetry({ served, config, kind: "server" });
  if (!isStdoutGuarded()) (await import("../base/process/install-stdout-guard.ts")).installStdoutGuard(true, stdoutKey);
  let opening: Promise<StdioJobs> | undefined;
  const open = (): Promise<StdioJobs> =>
    (opening ??= import("./parts/stdio-jobs.ts").then(({ openStdioJobs }) => openStdioJobs(served, config, telemetry)));
  const searchList = config.toolSearch
    ? (await import("../fronts/mcp/lists/search-list.ts")).searchList(served.tools)
    : undefined;
  const jobToolList = config.jobTools
    ? (await import("../fronts/mcp/lists/job-tool-descriptors.ts")).jobToolDescriptors(served.tools)
    : undefined;
  const instructions = await instructionsOf(served, searchList !== undefined);
  const tellProcessEvents = holdProcessEvents();
  const stdio = serveMcpStdio({
    ...served,
    instructions,
    jobToolList,
    toolSearch: config.toolSearch,
    searchList,
    bodyLimit: config.limits.body,
    load: async () => (await open()).port,
  });
  // Messages that have already arrived are answered first, if they need no job.
  await new Promise((resolve) => setImmediate(resolve));
  let jobs: StdioJobs;
  try {
    const { endProcessBy } = await import("./parts/shutdown.ts");
    jobs = await open();
    endProcessBy(async () => {
      await jobs.drain(config.shutdownGrace);
      stdio.close();
      await stdio.closed;
      await jobs.close();
    });
  } finally {
    tellProcessEvents();
  }
  try {
    // A client that has gone does not wait for `onStart`.
    await Promise.race([jobs.port, stdio.closed]);
    await stdio.closed;
    await jobs.drain(drainAtEnd);
  } finally {
    await jobs.close();
  }
  // Exits explicitly: author code may keep timers and sockets open, while the client waits for the process to end.
  return process.exit();
}

/**
 * Returns the text for models about the whole service. The code that makes this text for many tools is loaded only if
 * needed.
 */
async function instructionsOf({ service, tools }: Served, isSearched: boolean): Promise<string> {
  const { instructions, description } = service;
  const input = { description, tools: tools.map(({ definition }) => definition) };
  if (!isSearched && tools.length <= mostLines) return instructions ?? shortInstructions(input);
  return (await import("../contract/definition/instructions.ts")).instructionsOf(service, input.tools, isSearched);
}
