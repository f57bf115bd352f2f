/**
 * `POST` of a tool: a bare `node:http` server that parses and answers, Fastify with compiled schemas, Hono with zod,
 * and tenon. `node bench/rest.ts [--quick] [--json FILE]`; needs `npm install` in `bench/`.
 */
import { join } from "node:path";
import { buildService } from "./lib/build-service.ts";
import { atLeast, type Figure } from "./lib/figure.ts";
import { httpRequest } from "./lib/http-load.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { pinLoad, startServerProcess } from "./lib/server-process.ts";

const script = benchScript();
// Turns are short, so that other load on the machine affects all alike. Each begins with requests that are not counted:
// a process that has waited has cold caches and a small heap, which a busy server has not.
const [lead, count, rounds] = script.quick ? [500, 1000, 5] : [2000, 4000, 15];
/** Requests before the first round, so that the compiler has optimised the code. */
const warmup = script.quick ? 3000 : 20_000;
const body = JSON.stringify({ number: 997, note: "x".repeat(280), tags: ["a", "b"] });
const server = (name: string): string => join(import.meta.dirname, `servers/${name}.ts`);
pinLoad();
const bundle = buildService(2);
const tenon = await startServerProcess(bundle, ["--host", "127.0.0.1", "--port", "0"]);
const bare = await startServerProcess(server("bare"), ["rest"]);
const fastify = await startServerProcess(server("fastify"));
const hono = await startServerProcess(server("hono"));
const contenders = [
  { name: "bare node:http", process: bare, path: "/tool" },
  { name: "Fastify, compiled schemas", process: fastify, path: "/tool" },
  { name: "Hono with zod", process: hono, path: "/tool" },
  { name: "tenon", process: tenon, path: "/tool/isPrime" },
  { name: "tenon, async", process: tenon, path: "/tool/isPrimeLater" },
];
const expected = '"isPrime":true';
for (const { process, path } of contenders) await process.measure(httpRequest(path, body), warmup, expected);
const samples = await interleave(
  contenders.map(({ name, process, path }) => ({
    name,
    async sample() {
      await process.measure(httpRequest(path, body), lead, expected);
      return process.measure(httpRequest(path, body), count, expected);
    },
  })),
  { rounds, onRound: (round) => round % 5 === 0 && script.progress(`round ${round + 1} of ${rounds}`) },
);
for (const one of [tenon, bare, fastify, hono]) one.stop();

const perSecond = samples.rows("wall").map((row) => ({
  contender: row.contender,
  median: 1e6 / row.median,
  spread: (1e6 / row.median) * (row.spread / row.median),
}));
const figures: readonly Figure[] = [
  {
    id: "rest-rate",
    name: "POST of a tool, 32 connections",
    unit: "requests/s",
    better: "higher",
    rows: perSecond,
    goals: [
      atLeast(0.95, "tenon ÷ bare", samples.ratio("wall", "bare node:http", "tenon")),
      atLeast(1, "tenon ÷ Fastify", samples.ratio("wall", "Fastify, compiled schemas", "tenon")),
    ],
  },
  {
    id: "rest-cpu",
    name: "POST of a tool, processor time of the server",
    unit: "µs/request",
    better: "lower",
    rows: samples.rows("cpu"),
    goals: [atLeast(0.95, "bare ÷ tenon", samples.ratio("cpu", "bare node:http", "tenon"))],
  },
];
script.finish(figures);
