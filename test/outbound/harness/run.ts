import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { installOutbound } from "../../../runtime/outside/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../../../runtime/service/config/outbound-policy.ts";
import type { Clients } from "./clients.ts";
import { jobs, makeJob } from "./jobs.ts";
import { runHosts } from "./hosts.ts";
import { installNaive } from "./naive.ts";
import { resolveLocally } from "./resolve-locally.ts";
import { makeShapes, type Shape } from "./shapes.ts";

/** A run of the harness; travels to the child process as JSON. */
export interface Run {
  readonly port: number;
  readonly jobs: number;
  readonly requests: number;
  readonly proxied: boolean;
  readonly rule: "tenon" | "naive";
  /** Names of shapes; all without it. */
  readonly shapes?: readonly string[];
  /** Also requests outside of every job, on the same connections. */
  readonly outside?: boolean;
  /** Send to hostile URLs instead. */
  readonly hosts?: { readonly seed: number; readonly count: number };
}

export interface RunResult {
  readonly sent: number;
  readonly errors: readonly string[];
  readonly shapes: readonly string[];
  /** Calls that a client refused to make. */
  readonly refused?: number;
}

/** Main function of an entry: the runs that its argument names, one after the other; prints their results. */
export async function runAll(clients: Clients): Promise<void> {
  resolveLocally();
  if (!isMainThread) return runInThread(clients, workerData as ThreadRun);
  const results: RunResult[] = [];
  for (const run of JSON.parse(process.argv[2] ?? "[]") as Run[]) {
    const uninstall = install(run);
    results.push(run.hosts === undefined ? await runHarness(clients, run) : await runHosts(clients, run, run.hosts));
    uninstall();
  }
  process.stdout.write(JSON.stringify(results), () => process.exit(0));
}

/** Sends the requests of all jobs at the same time, some shapes at a time. */
async function runHarness(clients: Clients, run: Run): Promise<RunResult> {
  // Threads load all clients once more; the way through the proxy is the same code in them.
  const threads = run.proxied ? {} : { "worker thread": () => Promise.resolve() };
  const shapes: Record<string, Shape> = { ...makeShapes(clients, run.port), ...threads };
  const chosen = Object.entries(shapes).filter(([name]) => run.shapes?.includes(name) ?? true);
  const results = new Map<string, Sent>();
  const queue = [...chosen];
  // A few shapes at a time: their answers then come in each other's midst, and the machine does not wait for timers.
  const workers = Array.from({ length: 8 }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, shape] = next;
      results.set(name, name === "worker thread" ? await inWorkers(run) : await sendOfAllJobs(name, shape, run));
    }
  });
  await Promise.all(workers);
  const all = [...results.values()];
  return {
    sent: all.reduce((sum, { sent }) => sum + sent, 0),
    errors: all.flatMap(({ errors }) => errors).slice(0, 20),
    shapes: chosen.map(([name]) => name),
  };
}

interface Sent {
  readonly sent: number;
  readonly errors: readonly string[];
}

async function sendOfAllJobs(name: string, shape: Shape, run: Run): Promise<Sent> {
  const inJobs = Array.from({ length: run.jobs }, (_, index) => {
    const job = makeJob(index + 1);
    return jobs.run(job, () => sendAll(name, shape, run, job.number));
  });
  const outside = run.outside === true ? [sendAll(name, shape, run, undefined)] : [];
  const errors = (await Promise.all([...inJobs, ...outside])).flat();
  return { sent: (inJobs.length + outside.length) * run.requests, errors };
}

let serial = 0;

async function sendAll(name: string, shape: Shape, run: Run, job: number | undefined): Promise<string[]> {
  const label = name.replaceAll(" ", "-");
  const errors: string[] = [];
  const url = (way = "plain", host = "svc.local"): string =>
    `http://${host}:${run.port}/${label}/${job ?? "none"}/${serial++}/${way}`;
  for (let at = 0; at < run.requests; at++) {
    try {
      await shape(url);
    } catch (error) {
      errors.push(`${name}: ${String(error)} ${String((error as Error).cause ?? "")}`);
    }
  }
  return errors;
}

/** Sets the rule of the run up, in this thread. Returns its end. */
function install(run: Run): () => void {
  if (run.rule === "naive") return installNaive(() => jobs.getStore());
  const policy = resolveOutboundPolicy({
    PLATFORM_BASE_URL: "http://127.0.0.1:9",
    ...(run.proxied && { PLATFORM_PROXY_URL: `http://127.0.0.1:${run.port}/forward` }),
  });
  return installOutbound({ job: () => jobs.getStore(), policy });
}

interface ThreadRun extends Run {
  /** Numbers of the first and the last job. */
  readonly from: number;
  readonly to: number;
}

/** Two threads of the same bundle share the jobs; a thread gets a job as data and opens its own context. */
async function inWorkers(run: Run): Promise<Sent> {
  const half = Math.ceil(run.jobs / 2);
  const parts = [
    { from: 1, to: half },
    { from: half + 1, to: run.jobs },
  ];
  const results = await Promise.all(
    parts.map(
      (part) =>
        new Promise<Sent>((resolve, reject) => {
          const worker = new Worker(process.argv[1] ?? "", {
            workerData: { ...run, ...part } satisfies ThreadRun,
            argv: process.argv.slice(2),
          });
          worker.once("message", resolve);
          worker.once("error", reject);
        }),
    ),
  );
  return { sent: results.reduce((sum, { sent }) => sum + sent, 0), errors: results.flatMap(({ errors }) => errors) };
}

async function runInThread(clients: Clients, run: ThreadRun): Promise<void> {
  install(run);
  const { from, to } = run;
  const shapes = makeShapes(clients, run.port);
  const chosen = [shapes["fetch pool of 2"], shapes["http keep-alive"]].filter((shape) => shape !== undefined);
  const work: Promise<string[]>[] = [];
  for (let number = from; number <= to; number++) {
    for (const shape of chosen)
      work.push(jobs.run(makeJob(number), () => sendAll("worker thread", shape, run, number)));
  }
  const errors = (await Promise.all(work)).flat();
  parentPort?.postMessage({ sent: work.length * run.requests, errors });
}
