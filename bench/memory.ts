/**
 * Memory of a service and of a batch worker over a million jobs each, as whole processes with the caller in this one.
 * `node bench/memory.ts [jobs] [service|worker] [--quick] [--json FILE]`; with a name only that one, so that a long run
 * can be made in two pieces. Goal: the slope is at most 10 MB per million jobs.
 *
 * A sample is taken in the process while no job is on its way, after a collection that also gives pages back. The slope
 * is a regression over the samples after the first fifth, in which the store fills and code is compiled. V8's young
 * generation has a fixed size here: left to itself it doubles once, somewhere, from 16 to 32 MB, which a regression
 * takes for a leak. What lives in the heap (`heapUsed`) is printed beside.
 */
import { fork, type ChildProcess } from "node:child_process";
import { Agent, createServer, request, type ServerResponse } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, type Figure } from "./lib/figure.ts";
import { benchScript } from "./lib/script.ts";

const kinds = ["service", "worker"] as const;
type Kind = (typeof kinds)[number];
type Memory = Pick<NodeJS.MemoryUsage, "rss" | "heapUsed">;
const concurrency = 32;
/** Number of samples. */
const samples = 25;
const warmUp = samples / 5;
const megabyte = 1024 * 1024;

const [, , first] = process.argv;
if (first === "--service" || first === "--worker") await serve(first === "--service" ? "service" : "worker");
else await bench();

/** The measured process: it reports its memory on request. */
async function serve(kind: Kind): Promise<void> {
  const { GenericEvent, Service, startBatchService, startLambdaServer } = await import("../runtime/index.ts");
  const { defineTool } = await import("../runtime/internal.ts");
  const schema = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
  defineTool(
    {
      name: "isPrime",
      description: "",
      signature: "",
      source: "bench:1",
      annotations: {},
      request: { schema },
      result: { kind: "json" },
      mcp: { inputSchema: schema },
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
    // Collects garbage first, since collectable memory is not a leak.
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ rss, heapUsed });
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
    progress(`${kind}, RSS: ${curve.map(({ rss }) => (rss / megabyte).toFixed(0)).join(" ")} MB`);
    progress(`${kind}, heap: ${curve.map(({ heapUsed }) => (heapUsed / megabyte).toFixed(1)).join(" ")} MB`);
    const warm = curve.slice(warmUp).map(({ rss }) => rss);
    slopes.set(kind, slopeOf(warm, (jobs / samples) * (warm.length - 1)));
  }
  const figure: Figure = {
    id: "memory",
    name: `Growth of memory per million jobs, over the last four fifths of ${jobs.toLocaleString("en")}`,
    unit: "MB",
    better: "lower",
    rows: chosen.map((kind) => ({ contender: kind, median: slopes.get(kind) ?? 0, spread: 0 })),
    // A short run mostly shows how the heap grows to its size.
    goals: quick ? [] : chosen.map((kind) => atMost(10, `growth of a ${kind}`, slopes.get(kind) ?? Infinity, "MB")),
  };
  finish([figure]);
}

/** Slope by least squares, in megabytes per million jobs; `jobs`: from the first sample to the last. */
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

/** REST: half of the jobs have an id from the caller, so that they pass through the store. */
async function throughService(jobs: number): Promise<readonly Memory[]> {
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
  const curve: Memory[] = [];
  let next = 0;
  for (let sample = 1; sample <= samples; sample++) {
    const end = (jobs / samples) * sample;
    const work = async (): Promise<void> => {
      while (next < end) await call(next++);
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    curve.push(await memoryOf(child));
  }
  agent.destroy();
  await ended(child);
  return curve;
}

async function throughWorker(jobs: number): Promise<readonly Memory[]> {
  const every = jobs / samples;
  const curve: Memory[] = [];
  /** Requests for jobs that wait until a sample is taken. */
  const waiting = new Set<ServerResponse>();
  let asked = 0;
  let answered = 0;
  const all = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on("end", () => {
      if (incoming.method === "POST") {
        response.writeHead(204).end();
        if (incoming.url?.startsWith("/results/") === true && ++answered % every === 0) void sample().catch(all.reject);
        return;
      }
      waiting.add(response);
      response.on("close", () => waiting.delete(response));
      giveAll();
    });
  });
  const giveAll = (): void => {
    for (const response of waiting) {
      if (asked >= every * (curve.length + 1)) return;
      waiting.delete(response);
      const id = `urn:platform:job:${++asked}`;
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${asked}` };
      response.writeHead(200, headers);
      response.end(`{"id":"${id}","in-content-type":"application/json","in-content":{"number":${asked}}}`);
    }
  };
  const sample = async (): Promise<void> => {
    curve.push(await memoryOf(child));
    if (answered === jobs) all.resolve();
    else giveAll();
  };
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const child = start("--worker", { PLATFORM_BASE_URL: `http://127.0.0.1:${port}`, PLATFORM_LOG_LEVEL: "ERROR" });
  await all.promise;
  await ended(child);
  server.closeAllConnections();
  server.close();
  return curve;
}

function start(kind: string, env: Record<string, string>): ChildProcess {
  // A folder of its own: a worker first delivers results left in its spool.
  const folder = mkdtempSync(join(tmpdir(), "tenon-memory-"));
  const child = fork(import.meta.filename, [kind], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    cwd: folder,
    execArgv: ["--expose-gc", "--min-semi-space-size=16", "--max-semi-space-size=16"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return child;
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

async function memoryOf(child: ChildProcess): Promise<Memory> {
  const told = messageOf(child);
  child.send("memory");
  return (await told) as Memory;
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
