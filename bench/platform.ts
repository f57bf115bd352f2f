/**
 * `tenon platform` as a process of its own: jobs per second from submit to result over HTTP, with durable storage,
 * beside a minimal raw server that keeps the same three calls in memory; and how long one job takes when there is
 * little to do. `node bench/platform.ts [jobs] [rounds] [--quick] [--json FILE]`. Goal: 8,000 jobs/s, p99 ≤ 5 ms at low
 * load.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atLeast, atMost } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";

const submitters = 64;
const workers = 32;
const request = JSON.stringify({ text: "x".repeat(100), numbers: [1, 2, 3], nested: { flag: true } });
const result = JSON.stringify({ text: "x".repeat(100), ok: true });

async function servePlatform(folder: string): Promise<void> {
  const { startLocalPlatform } = await import("../cli/local-platform/start-local-platform.ts");
  const { url } = await startLocalPlatform({ folder });
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

async function start(kind: string, folder: string): Promise<Target> {
  const child = fork(import.meta.filename, [kind, folder], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
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

/** One connection, one request at a time, with little work of its own: the server is measured. */
class Wire {
  readonly #socket: Socket;
  #text = "";
  #answer: ((answer: { head: string; body: string }) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    this.#socket.on("error", () => {});
    this.#socket.on("data", (chunk) => {
      this.#text += String(chunk);
      const end = this.#text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = this.#text.slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (this.#text.length < end + 4 + length) return;
      const body = this.#text.slice(end + 4);
      this.#text = "";
      this.#answer?.({ head, body });
    });
  }

  send(text: string): Promise<{ head: string; body: string }> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#socket.write(text, "latin1");
    });
  }

  close(): void {
    this.#socket.destroy();
  }
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

async function measure(kind: string, jobs: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const target = await start(kind, folder);
  const wires: Wire[] = [];
  let over = false;
  for (let n = 0; n < workers; n++) void work(target.port, () => over, wires);
  let left = jobs;
  const submit = async (): Promise<void> => {
    const wire = new Wire(target.port);
    wires.push(wire);
    while (left-- > 0) {
      const { head } = await wire.send(submission);
      if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
    }
  };
  // The service exists after its first worker has asked, and the code is warm after some jobs.
  while (!(await new Wire(target.port).send(submission)).head.startsWith("HTTP/1.1 200"));
  left = Math.min(2000, jobs);
  await Promise.all(Array.from({ length: submitters }, submit));
  left = jobs;
  const before = await target.usage();
  const started = performance.now();
  await Promise.all(Array.from({ length: submitters }, submit));
  const seconds = (performance.now() - started) / 1000;
  const after = await target.usage();
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
  await target.stop();
  rmSync(folder, { recursive: true });
  const used = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
  const [p50 = 0, p99 = 0] = [times[250], times[495]];
  return { rate: jobs / seconds, cpu: used / jobs, p50, p99, rss: after.rss / 1e6 };
}

async function bench(): Promise<void> {
  const { quick, words, progress, finish } = benchScript();
  const jobs = Number(words[0] ?? (quick ? 2000 : 10_000));
  const rounds = Number(words[1] ?? (quick ? 1 : 3));
  const [raw, tenon] = ["raw server, in memory", "tenon platform"];
  const samples = await interleave(
    [
      { name: raw, sample: () => measure("--raw", jobs) },
      { name: tenon, sample: () => measure("--platform", jobs) },
    ],
    {
      rounds,
      // Each measurement starts with a new process and warms it up.
      warmups: 0,
      onRound: (round) => progress(`platform: round ${round + 1} of ${rounds}, ${jobs} jobs each`),
    },
  );
  for (const name of [raw, tenon]) {
    const [cpu, rss] = [samples.median("cpu", name), samples.median("rss", name)];
    console.log(`${name}: ${cpu.toFixed(0)} µs of the server's processor time per job, RSS ${rss.toFixed(0)} MB`);
  }
  const latency = { unit: "ms", better: "lower" } as const;
  finish([
    {
      id: "platform",
      name: `Jobs from submit to result over HTTP, ${submitters} in flight`,
      unit: "jobs/s",
      better: "higher",
      rows: samples.rows("rate"),
      goals: [atLeast(8000, tenon, samples.median("rate", tenon), "jobs/s")],
    },
    { id: "platform-p50", name: "One job at a time, median", ...latency, rows: samples.rows("p50"), goals: [] },
    {
      id: "platform-p99",
      name: "One job at a time, 99 of 100 take at most",
      ...latency,
      rows: samples.rows("p99"),
      goals: [atMost(5, `${tenon}, p99`, samples.median("p99", tenon), "ms")],
    },
  ]);
}

const [, , kind, folder = ""] = process.argv;
if (kind === "--platform") await servePlatform(folder);
else if (kind === "--raw") serveRaw();
else await bench();
