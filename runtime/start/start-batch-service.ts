import { answerFlags, printHelp } from "./answer-flags.ts";
import { readConfig, type Config } from "../service/config/config.ts";
import { isPrinting } from "../service/config/flags.ts";
import { devHost } from "./parts/dev-host.ts";
import { endProcess } from "../base/process/end-process.ts";
import { requireNode } from "../base/process/require-node.ts";
import { endProcessBy } from "./parts/shutdown.ts";
import { isRunnerThread, serveAsThread } from "../executor/threads/inside-thread.ts";
import { resolveTools } from "../service/tools/resolve-tools.ts";
import type { Served } from "../service/served.ts";
import { resolveVersion, type Service } from "../service/service.ts";
import { StartError } from "../base/start-error.ts";
import { flushLogs, getLogger } from "../telemetry/log/logging.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import type { Tool } from "../service/tools/tool.ts";
import { chooseWorker, type Worker } from "./parts/choose-worker.ts";

/** Options of a batch service, given in code; the command line takes precedence. */
export interface BatchServiceOptions {
  /** Number of jobs at the same time, as `--concurrency`; default 1. */
  readonly concurrency?: number;
}

/**
 * Runs jobs of the platform's sidecar (`PLATFORM_BASE_URL`) until it has no more. The process then ends with code 0, or
 * with 1 when the sidecar did not answer for `PLATFORM_FETCH_TIMEOUT` seconds. SIGTERM stops it in order. A mistake in
 * the configuration prints one line to stderr, with code 1, or 2 for a wrong flag. Under `tenon dev` the tools are
 * served over REST and MCP instead.
 *
 * ```ts
 * await startBatchService(new Service({ name: "Prime numbers" }), isPrime);
 * ```
 *
 * @param worker The tool whose jobs are run; optional when there is only one
 */
export async function startBatchService(
  service: Service,
  worker?: Worker,
  options: BatchServiceOptions = {},
): Promise<void> {
  if (isRunnerThread()) return serveAsThread(resolveTools());
  // In `tenon dev`, tools are called by requests; otherwise each save would start to fetch jobs again.
  const serve = devHost()?.serve;
  if (serve !== undefined) return void (await serve(service));
  try {
    requireNode();
    const config = readConfig(process.env, process.argv.slice(2), options, "batch");
    if (config.flags.help) return await printHelp(service, "batch");
    const version = resolveVersion(service, config.version, process.cwd());
    const served: Served = { service, version, tools: resolveTools() };
    const { tool: named, testFile } = config.flags;
    // A service with several tools and no chosen worker can be described, but not run.
    const mayLack = testFile === undefined && isPrinting(config.flags) && worker === undefined && named === undefined;
    const chosen = mayLack ? undefined : chooseWorker(served.tools, worker, named);
    await answerFlags(served, config, "batch", chosen);
    if (chosen === undefined) return undefined;
    return await endProcess(await run(chosen, served, config));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return endProcess(error.exitCode, "", `${error.message}\n`);
  }
}

async function run(tool: Tool, served: Served, config: Config): Promise<0 | 1> {
  const { service, version } = served;
  const { platformBaseUrl, flags } = config;
  if (platformBaseUrl === undefined || flags.testWithoutSidecar) {
    const reason = flags.testWithoutSidecar ? "--test-without-sidecar is given" : "PLATFORM_BASE_URL is not set";
    getLogger("tenon").warn(`There are no jobs to run: ${reason}. Run one with --test-file PATH.`);
    await flushLogs();
    return 0;
  }
  const [{ runBatch }, { startObserved, runStopHook }] = await Promise.all([
    import("./run-batch.ts"),
    import("./parts/service-hooks.ts"),
  ]);
  const telemetry = await startTelemetry({ served, config, kind: "consumer" });
  await startObserved(service, config, telemetry);
  const batch = runBatch(tool, platformBaseUrl, config, { telemetry, onEnd: () => runStopHook(service) });
  endProcessBy(batch.stop);
  getLogger("tenon").info(
    { version, tool: tool.name, concurrency: config.concurrency },
    `${service.name} fetches jobs`,
  );
  return await batch.ended;
}
