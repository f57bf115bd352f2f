/**
 * Memory of servers after many calls from 32 connections: what they hold then, and the most that they have held. Each
 * server and each round is a process of its own. `node bench/memory-calls.ts [rounds] [--quick] [--json FILE]`; needs
 * `npm install` in `bench/`.
 */
import { join } from "node:path";
import { buildService } from "./lib/build-service.ts";
import { atMost, type Figure, type Goal } from "./lib/figure.ts";
import { httpRequest } from "./lib/http-load.ts";
import { args, legacyRequest, modernRequest } from "./lib/mcp-requests.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { pinLoad, startServerProcess } from "./lib/server-process.ts";

const { quick, words, progress, finish } = benchScript();
const rounds = Number(words[0] ?? (quick ? 1 : 3));
const many = quick ? 2000 : 100_000;
/** Calls of servers that are ten times slower. */
const few = quick ? 100 : 3000;

interface Contender {
  readonly name: string;
  readonly module: string;
  readonly flags: readonly string[];
  readonly request: Buffer;
  readonly calls: number;
}

const bundle = buildService(2);
const server = (name: string): string => join(import.meta.dirname, `servers/${name}.ts`);
const plain = ["--host", "127.0.0.1", "--port", "0"];
const body = JSON.stringify({ number: 997, note: "x".repeat(280), tags: ["a", "b"] });
const modern = modernRequest("tools/call", { name: "isPrime", arguments: args });
const legacy = legacyRequest("tools/call", { name: "isPrime", arguments: args });
const old = ", 2025-11-25";
const contenders: readonly Contender[] = [
  { name: "bare, REST", module: server("bare"), flags: ["rest"], request: httpRequest("/tool", body), calls: many },
  { name: "tenon, REST", module: bundle, flags: plain, request: httpRequest("/tool/isPrime", body), calls: many },
  { name: "bare, MCP", module: server("bare"), flags: ["mcp"], request: modern, calls: many },
  { name: "tenon, MCP", module: bundle, flags: [...plain, "--with-mcp"], request: modern, calls: many },
  { name: `bare, MCP${old}`, module: server("bare"), flags: ["mcp"], request: legacy, calls: many },
  { name: `tenon, MCP${old}`, module: bundle, flags: [...plain, "--with-mcp"], request: legacy, calls: many },
  { name: "SDK 2.x", module: server("sdk-v2"), flags: ["2"], request: modern, calls: few },
  { name: "SDK 1.x", module: server("sdk-v1"), flags: ["2"], request: legacy, calls: few },
  { name: "fastmcp", module: server("fastmcp"), flags: ["2"], request: legacy, calls: few },
];

pinLoad();
const samples = await interleave(
  contenders.map(({ name, module, flags, request, calls }) => ({
    name,
    async sample() {
      const process = await startServerProcess(module, flags);
      try {
        await process.measure(request, calls, "997");
        return { resident: await process.memory(), peak: process.peak() };
      } finally {
        process.stop();
      }
    },
  })),
  { rounds, warmups: 0, onRound: (round) => progress(`memory of calls: round ${round + 1} of ${rounds}`) },
);
const figures = (["resident", "peak"] as const).map((quantity): Figure => {
  const goal = (kind: string): Goal =>
    atMost(1.3, `tenon ÷ bare, ${kind}`, samples.ratio(quantity, `tenon, ${kind}`, `bare, ${kind}`));
  return {
    id: `memory-calls-${quantity}`,
    name:
      `${quantity === "peak" ? "Most memory within" : "Memory after"} ${many.toLocaleString("en")} calls over HTTP, ` +
      `of the slow servers ${few.toLocaleString("en")}`,
    unit: "MB",
    better: "lower",
    rows: samples.rows(quantity),
    goals: ["REST", "MCP", `MCP${old}`].map(goal),
  };
});
finish(figures);
