import { randomBytes } from "node:crypto";
import { backOff } from "../../../runtime/clients/platform/sidecar/back-off.ts";
import { systemClock } from "../../../runtime/base/clock.ts";
import type { Clock } from "../../../runtime/base/clock.ts";
import { createRedactor } from "../../../runtime/telemetry/log/redact.ts";
import { secretsOf } from "../../../runtime/telemetry/log/known-secrets.ts";
import { anyToken } from "../jobs/job-token.ts";
import type { WorkerLeases } from "./worker-leases.ts";
import { describeEnd, startWorker } from "./worker-process.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** A worker that runs under the platform. */
export interface WorkerOrder {
  /** Key of its service; undefined: the only one. */
  readonly service: string | undefined;
  /** For the shell, for example `node dist/service.mjs`. */
  readonly command: string;
}

/** `log`: a line that the worker wrote; `state`: what became of it. */
export interface WorkerLine {
  readonly kind: "log" | "state";
  readonly service: string;
  readonly text: string;
}

export interface WorkerOptions {
  readonly orders: readonly WorkerOrder[];
  /** Environment of the workers, to which `PLATFORM_BASE_URL` is added. */
  readonly env: NodeJS.ProcessEnv;
  /** Gets what they write, without secrets. */
  readonly onLine?: (line: WorkerLine) => void;
  readonly clock?: Clock;
}

export interface RunningWorkers {
  /** Asks all of them to end, and ends those that do not in time. */
  stop(): Promise<void>;
}

/** Milliseconds after which an end is no longer one more failure in a row. */
const steadyAfter = 60_000;
/** Seconds that a service takes to end in order, and some to spare. */
const usualGrace = 25;
const spareGrace = 5;

/**
 * Runs workers and starts those again, with back-off, that end with another code than 0, or with jobs in their hands: that
 * is no end in order, whatever the code. These jobs are lost at once, and know the end: exit code or signal, and the last
 * lines of the log.
 * @param baseUrl `PLATFORM_BASE_URL` of a worker by this name
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
    // Not guessable from an earlier one's: a worker that outlived its platform is another one.
    const worker = randomBytes(5).toString("hex");
    leases.begin(worker);
    const process_ = startWorker({
      ...{ command, redact, env: { ...env, PLATFORM_BASE_URL: baseUrl(service, worker) } },
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
  // A second signal ends the platform at once; its workers must not outlive it.
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
