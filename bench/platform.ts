/**
 * `tenon platform` as a process of its own: jobs per second from submit to result over HTTP, with durable storage,
 * beside a minimal raw server that keeps the same three calls in memory; on PostgreSQL also with two replicas; and how
 * long one job takes when there is little to do. `node bench/platform.ts [jobs] [rounds] [--quick] [--json FILE]`.
 * Goal: 8,000 jobs/s, p99 ≤ 5 ms at low load.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atLeast } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { Wire } from "./lib/wire.ts";
import { startPostgres } from "../test/support/postgres-server.ts";

const submitters = 64;
const workers = 32;
const request = JSON.stringify({ text: "x".repeat(100), numbers: [1, 2, 3], nested: { flag: true } });
const result = JSON.stringify({ text: "x".repeat(100), ok: true });

async function servePlatform(folder: string, store: string | undefined): Promise<void> {
  const { startLocalPlatform } = await import("../cli/local-platform/start-local-platform.ts");
  const { url } = await startLocalPlatform({ folder, store, key: store && "k".repeat(32) });
  answerParent(Number(new URL(url).port));
}

/** The minimum that a server can do: no disk, no leases, no checks. */
function serveRaw(): void {
  const queue: string[] = [];
  const waiting: ServerResponse[] = [];
  const callers = new Map<string, ServerResponse>();
  let count = 0;
  const give = (response: ServerResponse, envelope: string): void => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": envelope.length });
    response.end(envelope);
  };
  const server = createServer((incoming, response) => {
    const { url = "" } = incoming;
    if (url.includes("/next_job")) {
      const envelope = queue.shift();
      if (envelope === undefined) waiting.push(response);
      else give(response, envelope);
      return;
    }
    let body = "";
    incoming.on("data", (chunk) => (body += String(chunk)));
    incoming.on("end", () => {
      if (url.includes("/results/")) {
        const caller = callers.get(url.slice(url.lastIndexOf("/") + 1));
        response.writeHead(204).end();
        caller?.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length }).end(body);
        return;
      }
      const id = String(++count);
      callers.set(id, response);
      const envelope = `{"id":"${id}","in-content-type":"application/json","in-content":${body}}`;
      const worker = waiting.shift();
      if (worker === undefined) queue.push(envelope);
      else give(worker, envelope);
    });
  });
  server.listen(0, "127.0.0.1", () => answerParent((server.address() as AddressInfo).port));
}

function answerParent(port: number): void {
  process.on("message", () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }));
  process.send?.({ port });
}

interface Usage {
  readonly cpu: NodeJS.CpuUsage;
  readonly rss: number;
}

interface Target {
  readonly port: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

async function start(kind: string, folder: string, store?: string): Promise<Target> {
  const child = fork(import.meta.filename, [kind, folder, ...(store === undefined ? [] : [store])], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const next = (): Promise<unknown> => new Promise((resolve) => child.once("message", resolve));
  const { port } = (await next()) as { port: number };
  return {
    port,
    usage() {
      const answer = next();
      child.send("usage");
      return answer as Promise<Usage>;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

async function work(port: number, isOver: () => boolean, wires: Wire[]): Promise<void> {
  const wire = new Wire(port);
  wires.push(wire);
  const ask = "GET /bench/next_job?wait=20 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  while (!isOver()) {
    const { head, body } = await wire.send(ask);
    const id = /"id":"([^"]+)"/.exec(body)?.[1];
    if (id === undefined) continue;
    const own = ["authorization", "job-attempt", "job-lease"].flatMap((name) => {
      const value = new RegExp(`\r\n(${name}: [^\r]*)`, "i").exec(head)?.[1];
      return value === undefined ? [] : [value];
    });
    await wire.send(
      `POST /bench/results/${id} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nIs-Error: false\r\n${own.map((line) => `${line}\r\n`).join("")}Content-Length: ${result.length}\r\n\r\n${result}`,
    );
  }
}

const submission = `POST /services2/bench/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTimeout: 30\r\nContent-Length: ${request.length}\r\n\r\n${request}`;

interface Measured {
  readonly rate: number;
  /** Microseconds of the server's processor time per job. */
  readonly cpu: number;
  /** Milliseconds of one job at a time. */
  readonly p50: number;
  readonly p99: number;
  /** Megabytes. */
  readonly rss: number;
}

interface Contender {
  readonly kind: "--platform" | "--raw";
  /** Address of the database. */
  readonly store?: string;
  /** Default 1. */
  readonly replicas?: number;
}

async function measure({ kind, store, replicas = 1 }: Contender, jobs: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const targets: Target[] = [];
  for (let n = 0; n < replicas; n++) targets.push(await start(kind, join(folder, String(n)), store));
  const [target] = targets as [Target, ...Target[]];
  const portOf = (n: number): number => targets[n % replicas]?.port ?? target.port;
  const wires: Wire[] = [];
  let over = false;
  for (let n = 0; n < workers; n++) void work(portOf(n), () => over, wires);
  let left = jobs;
  const submit = async (place: number): Promise<void> => {
    const wire = new Wire(portOf(place));
    wires.push(wire);
    while (left-- > 0) {
      const { head } = await wire.send(submission);
      if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
    }
  };
  // The service exists after its first worker has asked, and the code is warm after some jobs.
  while (!(await new Wire(target.port).send(submission)).head.startsWith("HTTP/1.1 200"));
  left = Math.min(2000, jobs);
  await Promise.all(Array.from({ length: submitters }, (_, place) => submit(place)));
  left = jobs;
  const usage = (): Promise<readonly Usage[]> => Promise.all(targets.map((one) => one.usage()));
  const before = await usage();
  const started = performance.now();
  await Promise.all(Array.from({ length: submitters }, (_, place) => submit(place)));
  const seconds = (performance.now() - started) / 1000;
  const after = await usage();
  const wire = new Wire(target.port);
  wires.push(wire);
  const times: number[] = [];
  for (let n = 0; n < 500; n++) {
    const began = performance.now();
    await wire.send(submission);
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  times.sort((one, other) => one - other);
  over = true;
  for (const one of wires) one.close();
  await Promise.all(targets.map((one) => one.stop()));
  rmSync(folder, { recursive: true });
  const total = (list: readonly Usage[]): number => list.reduce((sum, { cpu }) => sum + cpu.user + cpu.system, 0);
  const used = total(after) - total(before);
  const [p50 = 0, p99 = 0] = [times[250], times[495]];
  return { rate: jobs / seconds, cpu: used / jobs, p50, p99, rss: Math.max(...after.map(({ rss }) => rss)) / 1e6 };
}

async function bench(): Promise<void> {
  const { quick, words, progress, finish } = benchScript();
  const jobs = Number(words[0] ?? (quick ? 2000 : 10_000));
  const rounds = Number(words[1] ?? (quick ? 1 : 3));
  const [raw, tenon] = ["raw server, in memory", "tenon platform"];
  const [onPostgres, replicas] = ["tenon platform on PostgreSQL", "two replicas on PostgreSQL"];
  const server = await startPostgres({ isDurable: true });
  let schemas = 0;
  const store = (): string => server.url(`bench_${++schemas}`);
  const samples = await interleave(
    [
      { name: raw, sample: () => measure({ kind: "--raw" }, jobs) },
      { name: tenon, sample: () => measure({ kind: "--platform" }, jobs) },
      { name: onPostgres, sample: () => measure({ kind: "--platform", store: store() }, jobs) },
      { name: replicas, sample: () => measure({ kind: "--platform", store: store(), replicas: 2 }, jobs) },
    ],
    {
      rounds,
      // Each measurement starts with a new process and warms it up.
      warmups: 0,
      onRound: (round) => progress(`platform: round ${round + 1} of ${rounds}, ${jobs} jobs each`),
    },
  );
  await server.stop();
  for (const name of [raw, tenon, onPostgres, replicas]) {
    const [cpu, rate] = [samples.median("cpu", name), samples.median("rate", name)];
    const share = `${((cpu * rate) / 1e4).toFixed(0)} % of a processor`;
    const rss = `RSS ${samples.median("rss", name).toFixed(0)} MB`;
    // Far below 100 % for each process, the platform waits for its store.
    console.log(`${name}: ${cpu.toFixed(0)} µs of the platform's processor time per job, ${share}; ${rss}`);
  }
  finish([
    {
      id: "platform",
      name: `Jobs from submit to result over HTTP, ${submitters} in flight`,
      unit: "jobs/s",
      better: "higher",
      rows: samples.rows("rate"),
      goals: [atLeast(8000, tenon, samples.median("rate", tenon), "jobs/s")],
    },
  ]);
}

const [, , kind, folder = "", store] = process.argv;
if (kind === "--platform") await servePlatform(folder, store);
else if (kind === "--raw") serveRaw();
else await bench();
