/**
 * Memory of a service and of a batch worker over a million jobs each, as whole processes with the caller in this one: RSS
 * after every tenth, and its slope over the second half. `node bench/memory.ts [jobs] [service|worker] [--quick]
 * [--json FILE]`; with a name only that one, so that a long run can be made in two pieces. Goal: the slope is at most 10 MB
 * per million jobs.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { atMost } from "./lib/figure.ts";
import type { Figure } from "./lib/figure.ts";
import { benchScript } from "./lib/script.ts";

const kinds = ["service", "worker"] as const;
type Kind = (typeof kinds)[number];
const concurrency = 32;
/** Points of the curve. */
const samples = 20;
const megabyte = 1024 * 1024;

const [, , first] = process.argv;
if (first === "--service" || first === "--worker") await serve(first === "--service" ? "service" : "worker");
else await bench();

/** The process that is measured: it tells its RSS when it is asked. */
async function serve(kind: Kind): Promise<void> {
  const { GenericEvent, Service, startBatchService, startLambdaServer } = await import("../runtime/index.ts");
  const { defineTool } = await import("../runtime/internal.ts");
  const schema = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
  defineTool(
    {
      ...{ name: "isPrime", description: "", signature: "", source: "bench:1", annotations: {} },
      ...{ request: { schema }, result: { kind: "json" }, mcp: { inputSchema: schema } },
    },
    {
      call: ({ number }: { number: number }, job: { report: { emit(event: object): void } }) => {
        job.report.emit(new GenericEvent("checked", { number }));
        return { number, isPrime: number % 2 === 1 };
      },
      isRequest: (wire: unknown) => Number.isInteger((wire as { number?: unknown } | null)?.number),
    },
  );
  process.on("message", () => {
    // What could be collected is no leak.
    globalThis.gc?.();
    process.send?.(process.memoryUsage().rss);
  });
  const service = new Service({ name: "Bench", version: "1" });
  process.argv.splice(2, Infinity);
  if (kind === "worker") return startBatchService(service, undefined, { concurrency });
  const { url } = await startLambdaServer(service, { host: "127.0.0.1", port: 0 });
  process.send?.(url);
}

async function bench(): Promise<void> {
  const { quick, words, progress, finish } = benchScript();
  const jobs = Number(words[0] ?? (quick ? 40_000 : 1_000_000));
  const chosen = kinds.filter((kind) => words[1] === undefined || words[1] === kind);
  const slopes = new Map<Kind, number>();
  for (const kind of chosen) {
    const curve = await (kind === "service" ? throughService(jobs) : throughWorker(jobs));
    progress(`${kind}: ${curve.map((rss) => (rss / megabyte).toFixed(0)).join(" ")} MB`);
    slopes.set(kind, slopeOf(curve.slice(curve.length / 2), jobs / 2));
  }
  const figure: Figure = {
    id: "memory",
    name: `Growth of memory per million jobs, over the second half of ${jobs.toLocaleString("en")}`,
    unit: "MB",
    better: "lower",
    rows: chosen.map((kind) => ({ contender: kind, median: slopes.get(kind) ?? 0, spread: 0 })),
    // A short run mostly shows how the heap settles.
    goals: quick ? [] : chosen.map((kind) => atMost(10, `growth of a ${kind}`, slopes.get(kind) ?? Infinity, "MB")),
  };
  finish([figure]);
}

/** Bytes per job by least squares, as megabytes per million jobs. */
function slopeOf(curve: readonly number[], jobs: number): number {
  const middle = (curve.length - 1) / 2;
  const mean = curve.reduce((sum, rss) => sum + rss, 0) / curve.length;
  let [above, below] = [0, 0];
  for (const [index, rss] of curve.entries()) {
    above += (index - middle) * (rss - mean);
    below += (index - middle) ** 2;
  }
  const perSample = above / below;
  return ((perSample * (curve.length - 1)) / jobs / megabyte) * 1_000_000;
}

/** REST: half of the jobs are named by their callers, so that they pass through the store. */
async function throughService(jobs: number): Promise<readonly number[]> {
  const child = start("--service", { PLATFORM_LOG_LEVEL: "ERROR" });
  const url = new URL(String(await messageOf(child)));
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const call = (number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const name = number % 2 === 0 ? { "job-id": `bench-${number}` } : {};
      const headers = { "content-type": "application/json", ...name };
      const outgoing = request({
        agent,
        hostname: url.hostname,
        port: url.port,
        path: "/tool",
        method: "POST",
        headers,
      });
      outgoing.on("error", reject);
      outgoing.on("response", (response) => {
        response.resume();
        response.on("end", () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
        );
      });
      outgoing.end(`{"number":${number}}`);
    });
  const curve: number[] = [];
  let next = 0;
  for (let sample = 1; sample <= samples; sample++) {
    const end = (jobs / samples) * sample;
    const work = async (): Promise<void> => {
      while (next < end) await call(next++);
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    curve.push(await rssOf(child));
  }
  agent.destroy();
  await ended(child);
  return curve;
}

async function throughWorker(jobs: number): Promise<readonly number[]> {
  const every = jobs / samples;
  const curve: Promise<number>[] = [];
  let asked = 0;
  let answered = 0;
  const all = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on("end", () => {
      if (incoming.method === "POST") {
        response.writeHead(204).end();
        if (incoming.url?.startsWith("/results/") !== true || ++answered % every !== 0) return;
        curve.push(rssOf(child));
        if (answered === jobs) all.resolve();
        return;
      }
      if (asked >= jobs) {
        response.writeHead(204, { "Retry-After": "1" }).end();
        return;
      }
      const id = `urn:platform:job:${++asked}`;
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${asked}` };
      response.writeHead(200, headers);
      response.end(`{"id":"${id}","in-content-type":"application/json","in-content":{"number":${asked}}}`);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const child = start("--worker", { PLATFORM_BASE_URL: `http://127.0.0.1:${port}`, PLATFORM_LOG_LEVEL: "ERROR" });
  await all.promise;
  const measured = await Promise.all(curve);
  await ended(child);
  server.closeAllConnections();
  server.close();
  return measured;
}

function start(kind: string, env: Record<string, string>): ChildProcess {
  return fork(import.meta.filename, [kind], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    cwd: tmpdir(),
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the process has ended with code ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}

async function rssOf(child: ChildProcess): Promise<number> {
  const told = messageOf(child);
  child.send("rss");
  return Number(await told);
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
