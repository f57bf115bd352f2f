import type { Config } from "../service/config/config.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { createDelivery } from "../outside/platform/delivery/delivery.ts";
import { createSidecarClient } from "../outside/platform/sidecar/sidecar-client.ts";
import { getLogger } from "../telemetry/log/logging.ts";
import type { Tool } from "../service/tools/tool.ts";
import { startFetchLoop } from "../fronts/batch/fetch-loop.ts";
import { createLeaseKeeper } from "../fronts/batch/lease.ts";
import { createJobTaker } from "../fronts/batch/take-job.ts";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { openWorkplace } from "./parts/open-workplace.ts";

/** Milliseconds for pending deliveries when the platform has no more jobs. */
const patienceAtEnd = 30_000;
/**
 * Milliseconds for pending deliveries after a signal. Together with the grace period of running jobs this is below the
 * usual 30 s of containers.
 */
const patienceAtStop = 2000;

export interface BatchRun {
  /** The exit code, after everything has ended: 0 when the platform has no more jobs, 1 without a usable answer. */
  readonly ended: Promise<0 | 1>;
  /** Stops fetching, lets running jobs end within the grace, releases or fails the rest, and delivers pending data. */
  stop(): Promise<void>;
}

export interface BatchOptions {
  /** Awaited when all jobs have ended, before the other parts are closed. */
  readonly onEnd?: () => Promise<void>;
  /** Closed at the end; default: none. */
  readonly telemetry?: Telemetry;
  readonly clock?: Clock;
  /** Timeout in milliseconds of one call to the sidecar; default: the usual limits. */
  readonly timeout?: number;
}

/** Runs the jobs of a sidecar, without flags, signals or exits: see `startBatchService`. */
export function runBatch(worker: Tool, baseUrl: string, config: Config, options: BatchOptions = {}): BatchRun {
  const { clock = systemClock, timeout, telemetry = noTelemetry, onEnd } = options;
  const limit = timeout === undefined ? {} : { timeout };
  const most = worker.options.executorOpts?.maxWorkers ?? Infinity;
  const concurrency = Math.min(config.concurrency, most);
  const tool = withWorkers(worker, concurrency);
  const client = createSidecarClient(baseUrl);
  const delivery = createDelivery(config, { clock, client, ...limit });
  // A store in memory is enough, since the platform stores the jobs.
  const workplace = openWorkplace({ config, tools: [tool], telemetry, delivery, clock, timeout, onEnd });
  const { executor } = workplace;
  const leases = createLeaseKeeper(baseUrl);
  const jobs = createJobTaker({ tool, executor, delivery, client, leases, clock });
  const loop = startFetchLoop({ client, clock, concurrency, patience: config.fetchTimeout, take: jobs.take, ...limit });

  async function close(patience = patienceAtStop): Promise<void> {
    const start = clock.now();
    const over = new AbortController();
    await Promise.race([jobs.settled(), clock.sleep(patience, over.signal)]);
    over.abort();
    await workplace.close({ patience: Math.max(0, patience - (clock.now() - start)) });
    await jobs.settled();
    await leases.close();
  }

  /**
   * The interval keeps the process alive: a job may be waiting only for its signal, which does not keep Node running.
   */
  const alive = setInterval(() => {}, 2 ** 31 - 1);

  async function watch(): Promise<0 | 1> {
    const end = await loop.end;
    if (end === "stopped") return stopped.promise.then(() => 0);
    const log = getLogger("tenon");
    if (end === "done") log.info("the platform has no more jobs");
    else {
      const seconds = config.fetchTimeout / 1000;
      log.fatal({ seconds, reason: loop.problem }, "the sidecar gave no usable answer: the service ends");
    }
    // Results that the sidecar did not take are retried beside later jobs.
    if (end === "done") await jobs.settled();
    await workplace.drain(0);
    await close(end === "done" ? patienceAtEnd : undefined);
    return end === "done" ? 0 : 1;
  }

  const stopped = Promise.withResolvers<void>();
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    jobs.stop();
    await loop.stop();
    await workplace.drain(config.shutdownGrace);
    await close();
    stopped.resolve();
  };
  const ended = watch().finally(() => clearInterval(alive));
  return { ended, stop: () => (stopping ??= stop()) };
}

/** A copy of the tool with as many slots as jobs are fetched. */
function withWorkers(tool: Tool, maxWorkers: number): Tool {
  return { ...tool, options: { ...tool.options, executorOpts: { ...tool.options.executorOpts, maxWorkers } } };
}
