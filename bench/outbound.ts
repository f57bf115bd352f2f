/**
 * What outbound rewriting costs: loopback requests within a job, of a process with the hook and of two without it, which take
 * short turns on one core; the server has a process and a core of its own. Two processes of the same kind differ by some
 * per cent as long as they live, so that each group is measured briefly and many are started; the second process without
 * the hook shows how far such a figure can be trusted. The goal is at most 3 % of processor time on `fetch`.
 * `node bench/outbound.ts [--quick] [--json FILE]`.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutboundJob } from "../runtime/outbound/decide-request.ts";
import { installOutbound } from "../runtime/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../runtime/outbound/policy.ts";
import { type ClientProcess, answerRounds, startClientProcess } from "./lib/client-process.ts";
import { atMost, type Figure, type Row } from "./lib/figure.ts";
import { summarise } from "./lib/rounds.ts";
import { type BenchScript, benchScript } from "./lib/script.ts";
import { pinLoad, reportServer, startServerProcess } from "./lib/server-process.ts";

/** Ways to send, with the requests under way at a time and those of a round. */
const ways = [
  { name: "fetch, 1 at a time", parallel: 1, count: 150 },
  { name: "fetch, 32 at a time", parallel: 32, count: 200 },
  { name: "node:http keep-alive, 32", parallel: 32, count: 300 },
] as const;
/** Turns before those that count: the compiler has seen enough then. */
const warmups = 6;
/** Turns that count, there and back, so that what grows or fades falls on all alike. */
const turns = 4;

// As services have it: an import would load undici, and a copy that is there before the start is watched more closely.
const http = process.getBuiltinModule("node:http");
const [role, port] = process.send === undefined ? [] : process.argv.slice(2);
if (role === "server") serve();
else if (role === "hooked" || role === "bare") sendRounds(role === "hooked", Number(port));
else await main(benchScript());

async function main({ quick, progress, finish }: BenchScript): Promise<void> {
  pinLoad();
  const server = await startServerProcess(import.meta.filename, ["server"]);
  const groups = quick ? 3 : 20;
  const costs: Costs[][] = ways.map(() => []);
  for (let group = 0; group < groups; group++) {
    progress(`outbound: group ${group + 1} of ${groups}`);
    for (const [index, cost] of (await measureGroup(server.port)).entries()) costs[index]?.push(cost);
  }
  server.stop();
  const figures = ways.map(({ name }, index): Figure => {
    const taken = costs[index] ?? [];
    const row = (contender: keyof Costs): Row => ({ contender, ...summarise(taken.map((cost) => cost[contender])) });
    const more = (contender: keyof Costs): number =>
      (summarise(taken.map((cost) => cost[contender] / cost["without the hook"])).median - 1) * 100;
    console.log(
      `${name}: ${more("with the hook").toFixed(1)} % more processor time; ${more("without it, again").toFixed(1)} % between two without`,
    );
    return {
      id: `outbound-${index + 1}`,
      name: `Outbound requests within a job: ${name}, processor time of the client`,
      unit: "µs/request",
      better: "lower",
      rows: [row("without the hook"), row("without it, again"), row("with the hook")],
      goals: name.startsWith("fetch") ? [atMost(3, "processor time more", more("with the hook"), "%")] : [],
    };
  });
  finish(figures);
}

/** Microseconds per request. */
type Costs = Record<"without the hook" | "without it, again" | "with the hook", number>;

/** One process of each kind, from its start to its end; the costs by way. */
async function measureGroup(port: number): Promise<readonly Costs[]> {
  const start = (kind: string): Promise<ClientProcess> =>
    startClientProcess(import.meta.filename, [kind, String(port)]);
  const clients = [
    ["without the hook", await start("bare")],
    ["with the hook", await start("hooked")],
    ["without it, again", await start("bare")],
  ] as const;
  const costs: Costs[] = [];
  for (const index of ways.keys()) {
    const cost = { "without the hook": 0, "without it, again": 0, "with the hook": 0 };
    for (let turn = -warmups; turn < turns; turn++) {
      for (const [name, client] of turn % 2 === 0 ? clients : clients.toReversed()) {
        const { cpu } = await client.round(index);
        if (turn >= 0) cost[name] += cpu / turns;
      }
    }
    costs.push(cost);
  }
  for (const [, client] of clients) client.stop();
  return costs;
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
