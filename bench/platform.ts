/**
 * `tenon platform` as a process of its own: jobs per second from submit to result over HTTP, with durable storage, beside
 * a minimal raw server that keeps the same three calls in memory; and how long one job takes when there is little to do.
 * `node bench/platform.ts [jobs] [rounds]`. Goal: 8,000 jobs/s, p99 ≤ 5 ms at low load.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";

const submitters = 64;
const workers = 32;
const request = JSON.stringify({ text: "x".repeat(100), numbers: [1, 2, 3], nested: { flag: true } });
const result = JSON.stringify({ text: "x".repeat(100), ok: true });

async function servePlatform(folder: string): Promise<void> {
  const { startLocalPlatform } = await import("../cli/local-platform/start-local-platform.ts");
  const { url } = await startLocalPlatform({ folder });
  answerParent(Number(new URL(url).port));
}

/** The least that a server can do: no disk, no leases, no checks. */
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

/** One connection, one request at a time, as little work as possible: what is measured is the other side. */
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
  // The service is there once its first worker has asked, and the code is warm after some jobs.
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

async function bench(jobs: number, rounds: number): Promise<void> {
  const kinds = ["--raw", "--platform"] as const;
  const all = new Map<string, Measured[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) all.get(kind)?.push(await measure(kind, jobs));
  }
  console.log(
    `${jobs} jobs, ${submitters} in flight, ${rounds} rounds, Node ${process.version}, ${cpus().length} cores`,
  );
  for (const kind of kinds) {
    const sorted = (all.get(kind) ?? []).toSorted((one, other) => one.rate - other.rate);
    const middle = sorted[sorted.length >> 1];
    if (middle === undefined) continue;
    const rate = Math.round(middle.rate).toLocaleString("en").padStart(8);
    const best = Math.round(sorted.at(-1)?.rate ?? 0).toLocaleString("en");
    console.log(
      `${kind.slice(2).padEnd(10)}${rate} jobs/s (best ${best})  server ${middle.cpu.toFixed(0)} µs/job  ` +
        `one at a time p50 ${middle.p50.toFixed(2)} p99 ${middle.p99.toFixed(2)} ms  RSS ${middle.rss.toFixed(0)} MB`,
    );
  }
  console.log(`load average of the last minute: ${loadavg()[0]?.toFixed(2)}`);
}

const [, , first = "20000", second = "3"] = process.argv;
if (first === "--platform") await servePlatform(second);
else if (first === "--raw") serveRaw();
else await bench(Number(first), Number(second));
