/**
 * What outbound rewriting costs: loopback requests within a job, with and without the hook, in many short rounds of one
 * process that take turns; the server has a process and a core of its own. Prints the median ratio of the processor time; the goal is at most 3 % on `fetch`. `node bench/outbound.ts [rounds]
 * [--quick] [--json FILE]`.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import http, { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutboundJob } from "../runtime/outbound/decide-request.ts";
import { installOutbound } from "../runtime/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../runtime/outbound/policy.ts";
import { atMost, type Figure } from "./lib/figure.ts";
import { summarise } from "./lib/rounds.ts";
import { type BenchScript, benchScript } from "./lib/script.ts";
import { pinLoad, reportServer, startServerProcess } from "./lib/server-process.ts";

if (process.send !== undefined) {
  const server = createServer((_request, response) => response.end("ok"));
  server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
} else {
  const script = benchScript();
  await main(script, Number(script.words[0] ?? (script.quick ? 8 : 30)));
}

async function main({ progress, finish }: BenchScript, rounds: number): Promise<void> {
  pinLoad();
  const server = await startServerProcess(import.meta.filename);
  const { port } = server;
  const jobs = new AsyncLocalStorage<OutboundJob>();
  const job: OutboundJob = {
    id: "urn:platform:job:0192f0c1-2345-7abc-8def-0123456789ab",
    authorization: "Bearer token",
    traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    tracestate: undefined,
  };
  const url = `http://localhost:${port}/`;
  const agent = new http.Agent({ keepAlive: true });
  const clients: readonly (readonly [name: string, parallel: number, count: number, send: () => Promise<unknown>])[] = [
    ["fetch, 1 at a time", 1, 400, async () => (await fetch(url)).text()],
    ["fetch, 32 at a time", 32, 1200, async () => (await fetch(url)).text()],
    ["node:http keep-alive, 32", 32, 1600, () => get(url, agent)],
  ];
  const policy = resolveOutboundPolicy({ PLATFORM_BASE_URL: `http://localhost:${port}` });
  installOutbound({ job: () => jobs.getStore(), policy });
  // Taken away and put back: installing again would begin with functions that are not compiled yet.
  const key = Symbol.for("tenon.outbound");
  const scope = globalThis as { [name: symbol]: unknown };
  const hook = scope[key];
  const figures: Figure[] = [];
  for (const [index, [name, parallel, count, send]] of clients.entries()) {
    progress(`outbound: ${name}`);
    const ratios: number[] = [];
    const perSecond: { with: number[]; without: number[] } = { with: [], without: [] };
    const round = async (hooked: boolean): Promise<number> => {
      scope[key] = hooked ? hook : undefined;
      const began = process.cpuUsage();
      const start = performance.now();
      await jobs.run(job, () => sendAll(send, parallel, count));
      const { user, system } = process.cpuUsage(began);
      perSecond[hooked ? "with" : "without"].push((count / (performance.now() - start)) * 1000);
      return (user + system) / count;
    };
    // Both ways are compiled before anything counts.
    for (let at = 0; at < 8; at++) await round(at % 2 === 0);
    perSecond.with.length = 0;
    perSecond.without.length = 0;
    for (let at = 0; at < rounds; at++) {
      // The order alternates, so that what the machine does besides falls on both.
      const first = await round(at % 2 === 0);
      const second = await round(at % 2 !== 0);
      ratios.push(at % 2 === 0 ? first / second : second / first);
    }
    figures.push({
      id: `outbound-${index + 1}`,
      name: `Outbound requests within a job: ${name}`,
      unit: "requests/s",
      better: "higher",
      rows: [
        { contender: "without the hook", ...summarise(perSecond.without) },
        { contender: "tenon, with the hook", ...summarise(perSecond.with) },
      ],
      goals: name.startsWith("fetch") ? [atMost(3, "processor time more", (median(ratios) - 1) * 100, "%")] : [],
    });
    const [ratio, fast, plain] = [ratios, perSecond.with, perSecond.without].map(median) as [number, number, number];
    console.log(
      `${name}: ${((ratio - 1) * 100).toFixed(1)} % more CPU per request; ${plain.toFixed(0)} per second without, ${fast.toFixed(0)} with (${((plain / fast - 1) * 100).toFixed(1)} %)`,
    );
  }
  finish(figures);
  agent.destroy();
  server.stop();
}

async function sendAll(send: () => Promise<unknown>, parallel: number, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await send();
    }),
  );
}

function get(url: string, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    http.get(url, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
