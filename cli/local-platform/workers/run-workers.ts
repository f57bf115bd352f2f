import { randomBytes } from "node:crypto";
import { backOff } from "../../../runtime/outside/platform/sidecar/back-off.ts";
import { systemClock, type Clock } from "../../../runtime/base/clock.ts";
import { createRedactor } from "../../../runtime/telemetry/log/redact.ts";
import { secretsOf } from "../../../runtime/telemetry/log/known-secrets.ts";
import { anyToken } from "../jobs/job-token.ts";
import type { WorkerLeases } from "./worker-leases.ts";
import { describeEnd, startWorker, type WorkerProcess } from "./worker-process.ts";

/** A worker that runs under the platform. */
export interface WorkerOrder {
  /** Key of the worker's service; undefined: the only service. */
  readonly service: string | undefined;
  /** Shell command, for example `node dist/service.mjs`. */
  readonly command: string;
}

/** `log`: a line of the worker's output; `state`: a change of its state. */
export interface WorkerLine {
  readonly kind: "log" | "state";
  readonly service: string;
  readonly text: string;
}

export interface WorkerOptions {
  readonly orders: readonly WorkerOrder[];
  /** Environment of the workers; `PLATFORM_BASE_URL` is added. */
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line of the workers' output, without secrets. */
  readonly onLine?: (line: WorkerLine) => void;
  readonly clock?: Clock;
}

export interface RunningWorkers {
  /** Asks all workers to end, and kills those that do not end in time. */
  stop(): Promise<void>;
}

/** Milliseconds of running after which a failure no longer counts as consecutive. */
const steadyAfter = 60_000;
/** Seconds that an orderly shutdown of a service may take, with a margin. */
const usualGrace = 25;
const spareGrace = 5;

/**
 * Runs workers. Restarts, with back-off, workers that end with an exit code other than 0, or while they hold jobs. The
 * attempts of their jobs end at once; the records of these jobs contain the worker's exit code or signal, and the last
 * lines of its log.
 *
 * @param baseUrl `PLATFORM_BASE_URL` for a worker of this name
 */
export function runWorkers(
  orders: readonly { readonly service: string; readonly command: string }[],
  { env, onLine = () => {}, clock = systemClock }: Omit<WorkerOptions, "orders">,
  leases: WorkerLeases,
  baseUrl: (service: string, worker: string) => string,
): RunningWorkers {
  const redactor = createRedactor(secretsOf(env));
  const redact = (line: string): string => redactor.text(line.replaceAll(anyToken, "[redacted]"));
  const stopping = new AbortController();
  const running = new Set<WorkerProcess>();

  async function runOnce(service: string, command: string): Promise<boolean> {
    // The name is random, so that a worker which has survived an earlier platform is not mistaken for this one.
    const worker = randomBytes(5).toString("hex");
    leases.begin(worker);
    const process_ = startWorker({
      command,
      redact,
      env: { ...env, PLATFORM_BASE_URL: baseUrl(service, worker) },
      onLine: (text) => onLine({ kind: "log", service, text }),
    });
    running.add(process_);
    const end = await process_.ended;
    running.delete(process_);
    const how = describeEnd(end);
    const detail = [`The last worker of ${service} ended with ${how}.`, ...process_.tail()].join("\n");
    const lost = await leases.end(worker, detail);
    const jobs = lost.length === 0 ? "" : `, with ${lost.length === 1 ? "a job" : `${lost.length} jobs`} in its hands`;
    onLine({ kind: "state", service, text: `the worker ended with ${how}${jobs}` });
    return end.code === 0 && lost.length === 0;
  }

  async function supervise(service: string, command: string): Promise<void> {
    for (let failures = 1; !stopping.signal.aborted; failures++) {
      const began = clock.now();
      if ((await runOnce(service, command)) || stopping.signal.aborted) return;
      if (clock.now() - began >= steadyAfter) failures = 1;
      const wait = backOff(failures, clock.random);
      onLine({ kind: "state", service, text: `the worker starts again in ${(wait / 1000).toFixed(1)} s` });
      await clock.sleep(wait, stopping.signal);
    }
  }

  const killAll = (): void => {
    for (const one of running) one.kill();
  };
  // Kills the workers when the platform exits: a second signal ends the platform at once, and its workers must not
  // outlive it.
  process.on("exit", killAll);
  const all = orders.map(({ service, command }) =>
    supervise(service, command).catch((error: unknown) => {
      onLine({ kind: "state", service, text: `the worker is given up: ${String(error)}` });
    }),
  );
  return {
    async stop() {
      stopping.abort();
      for (const one of running) one.terminate();
      const grace = Number(env["PLATFORM_SHUTDOWN_GRACE"] ?? usualGrace);
      const seconds = (Number.isFinite(grace) ? grace : usualGrace) + spareGrace;
      const timer = setTimeout(killAll, seconds * 1000);
      await Promise.all(all);
      clearTimeout(timer);
      process.off("exit", killAll);
    },
  };
}
