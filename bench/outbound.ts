/**
 * What outbound rewriting costs: loopback requests within a job, of processes with the hook and of processes without it,
 * which take turns in many short rounds on one core; the server has a process and a core of its own. Two processes of
 * each kind, as two of the same differ by some per cent themselves. The goal is at most 3 % of processor time on `fetch`.
 * `node bench/outbound.ts [--quick] [--json FILE]`.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutboundJob } from "../runtime/outbound/decide-request.ts";
import { installOutbound } from "../runtime/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../runtime/outbound/policy.ts";
import { type ClientProcess, answerRounds, startClientProcess } from "./lib/client-process.ts";
import { atMost, type Figure } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { type BenchScript, benchScript } from "./lib/script.ts";
import { pinLoad, reportServer, startServerProcess } from "./lib/server-process.ts";

/** Ways to send, with the requests under way at a time and those of a round. */
const ways = [
  { name: "fetch, 1 at a time", parallel: 1, count: 300 },
  { name: "fetch, 32 at a time", parallel: 32, count: 800 },
  { name: "node:http keep-alive, 32", parallel: 32, count: 1200 },
] as const;

// As services have it: an import would load undici, and a copy that is there before the start is watched more closely.
const http = process.getBuiltinModule("node:http");
const [role, port] = process.send === undefined ? [] : process.argv.slice(2);
if (role === "server") serve();
else if (role === "hooked" || role === "bare") sendRounds(role === "hooked", Number(port));
else await main(benchScript());

async function main({ quick, progress, finish }: BenchScript): Promise<void> {
  pinLoad();
  const server = await startServerProcess(import.meta.filename, ["server"]);
  const contenders: { readonly name: string; readonly client: ClientProcess }[] = [];
  for (const number of [1, 2]) {
    for (const kind of ["bare", "hooked"]) {
      const client = await startClientProcess(import.meta.filename, [kind, String(server.port)]);
      contenders.push({ name: `${kind} ${number}`, client });
    }
  }
  const figures: Figure[] = [];
  for (const [index, { name }] of ways.entries()) {
    progress(`outbound: ${name}`);
    const samples = await interleave(
      contenders.map((contender) => ({ name: contender.name, sample: () => contender.client.round(index) })),
      quick ? { rounds: 3, warmups: 1 } : { rounds: 30, warmups: 4 },
    );
    const ratio = (contender: string, reference: string): number => samples.ratio("cpu", contender, reference);
    const more = Math.sqrt(ratio("hooked 1", "bare 1") * ratio("hooked 2", "bare 2"));
    progress(`two processes without the hook differ by ${percent(ratio("bare 2", "bare 1"))}`);
    figures.push({
      id: `outbound-${index + 1}`,
      name: `Outbound requests within a job: ${name}, processor time of the client`,
      unit: "µs/request",
      better: "lower",
      rows: samples.rows("cpu"),
      goals: name.startsWith("fetch") ? [atMost(3, "processor time more", (more - 1) * 100, "%")] : [],
    });
    console.log(`${name}: ${percent(more)} more processor time per request`);
  }
  finish(figures);
  for (const { client } of contenders) client.stop();
  server.stop();
}

function serve(): void {
  const server = http.createServer((_request, response) => response.end("ok"));
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
}

function sendRounds(isHooked: boolean, serverPort: number): void {
  const jobs = new AsyncLocalStorage<OutboundJob>();
  const job: OutboundJob = {
    id: "urn:platform:job:0192f0c1-2345-7abc-8def-0123456789ab",
    authorization: "Bearer token",
    traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    tracestate: undefined,
  };
  const url = `http://localhost:${serverPort}/`;
  const agent = new http.Agent({ keepAlive: true });
  const senders = [0, 1, 2].map((index) => (index < 2 ? async () => (await fetch(url)).text() : () => get(url, agent)));
  if (isHooked) {
    const policy = resolveOutboundPolicy({ PLATFORM_BASE_URL: `http://localhost:${serverPort}` });
    installOutbound({ job: () => jobs.getStore(), policy });
  }
  answerRounds(async (index) => {
    const [way, send] = [ways[index], senders[index]];
    if (way === undefined || send === undefined) throw new Error(`There is no way ${index}.`);
    const began = process.cpuUsage();
    await jobs.run(job, () => sendAll(send, way.parallel, way.count));
    const { user, system } = process.cpuUsage(began);
    return { cpu: (user + system) / way.count };
  });
}

async function sendAll(send: () => Promise<unknown>, parallel: number, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await send();
    }),
  );
}

function get(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    http.get(url, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject);
  });
}

function percent(ratio: number): string {
  return `${((ratio - 1) * 100).toFixed(1)} %`;
}
