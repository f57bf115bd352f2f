import type { Clock } from "../../base/clock.ts";
import { startOutbound } from "../../outside/outbound/start-outbound.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import { createExecutor } from "../../executor/job-executor.ts";
import type { Executor } from "../../executor/executor.ts";
import { guardExit } from "../../executor/run/guard-exit.ts";
import { createMemoryStore } from "../../executor/store/memory/memory.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import type { Config } from "../../service/config/config.ts";
import { platformSettings } from "../../service/config/platform-settings.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { flushLogs } from "../../telemetry/log/logging.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";

/** Milliseconds that jobs of replaced tools may still run: the maximum of a timer, that is, no limit. */
const endless = 2 ** 31 - 1;

export interface WorkplaceOptions {
  readonly config: Config;
  readonly tools: readonly Tool[];
  readonly telemetry: Telemetry;
  /** Delivery of events and results. The workplace closes it. */
  readonly delivery: Delivery;
  /** Default: a store in memory, for starts whose callers cannot poll a job. The workplace closes it. */
  readonly store?: JobStore;
  /** False: tools with `@thread` run in the main thread. */
  readonly threads?: false | undefined;
  /** Awaited when all jobs have ended, before the parts that they may have used are closed. */
  readonly onEnd?: (() => Promise<void>) | undefined;
  /** Replaceable in tests. */
  readonly clock?: Clock | undefined;
  /** Timeout in milliseconds of one call to the platform; default: that of each kind of call. */
  readonly timeout?: number | undefined;
}

/**
 * All parts that run jobs. Each way to start a service opens one workplace, and then serves a protocol that submits
 * jobs to it.
 */
export interface Workplace {
  /** Runs the tools that the workplace was opened with. */
  readonly executor: Executor;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
  /** Creates an executor for the tools of a new build, on the same store. Jobs of removed tools can still be polled. */
  openExecutor(tools: readonly Tool[]): Executor;
  /** Lets `guest`, an executor with a store of its own, end together with an executor of the workplace. */
  include(guest: Executor, host: Executor): void;
  /** Stops accepting jobs with an executor; its running jobs end in their own time. */
  retire(executor: Executor): void;
  /** Stops accepting jobs, and gives running ones `graceMs` milliseconds. */
  drain(graceMs: number): Promise<unknown>;
  /**
   * Delivers and writes pending data, and closes all parts in order. Call it when all jobs have ended. A second call
   * waits for the first one, and may shorten its patience.
   */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /** Milliseconds for pending deliveries. */
  readonly patience?: number;
  /** Work that still needs the store; awaited together with the delivery. */
  readonly beside?: Promise<unknown>;
}

/** Opens a workplace: an executor, its store, and the parts that must be closed with them. */
export function openWorkplace(options: WorkplaceOptions): Workplace {
  const { config, telemetry, delivery, store = createMemoryStore(), threads, timeout, clock } = options;
  const stopOutbound = startOutbound(config.outbound);
  const stopGuard = guardExit();
  /** Executors that may still have running jobs, with their tools. */
  const open = new Map<Executor, readonly Tool[]>();
  /** Further executors, by the executor with which each of them ends. */
  const guests = new WeakMap<Executor, Executor>();
  const end = (host: Executor, graceMs: number): Promise<unknown> =>
    Promise.all([host.drain(graceMs), guests.get(host)?.drain(graceMs)]);
  /** Tools of earlier builds by name; of each, only the latest. */
  const retired = new Map<string, Tool>();
  const platform = {
    ...platformSettings(config),
    ...(clock !== undefined && { clock }),
    ...(timeout !== undefined && { timeout }),
  };
  const requests = { most: config.limits.queue };
  const openExecutor = (tools: readonly Tool[]): Executor => {
    for (const earlier of open.values()) for (const tool of earlier) retired.set(tool.name, tool);
    const executor = createExecutor({
      tools,
      retired: [...retired.values()],
      store,
      sinks: delivery.sinks,
      observer: telemetry.jobs,
      platform,
      requests,
      ...(threads === false && { threads }),
    });
    open.set(executor, tools);
    return executor;
  };
  const executor = openExecutor(options.tools);
  void delivery.redeliver();
  let ended: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  const closeParts = async (): Promise<void> => {
    await store.close();
    await telemetry.close();
    stopOutbound();
    stopGuard();
    await flushLogs();
  };
  return {
    executor,
    delivery,
    telemetry,
    openExecutor,
    include: (guest, host) => void guests.set(host, guest),
    retire: (old) => void end(old, endless).then(() => open.delete(old)),
    drain: (graceMs) => Promise.all([...open.keys()].map((each) => end(each, graceMs))),
    async close({ patience, beside } = {}) {
      await (ended ??= options.onEnd?.());
      await Promise.all([beside, delivery.close(patience)]);
      await (closed ??= closeParts());
    },
  };
}
