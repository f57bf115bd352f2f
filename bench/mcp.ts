/**
 * MCP servers beside a bare one: `tools/call`, `tools/list` with 100 tools, memory after many calls, and standard input
 * and output. `node bench/mcp.ts [--quick] [--json FILE]`; needs `npm install` in `bench/`.
 */
import { join } from "node:path";
import { buildService } from "./lib/build-service.ts";
import { atLeast, atMost } from "./lib/figure.ts";
import type { Figure, Row } from "./lib/figure.ts";
import { httpRequest } from "./lib/http-load.ts";
import { callsPerSecond, firstAnswer } from "./lib/lines-load.ts";
import { interleave } from "./lib/rounds.ts";
import type { Samples } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { pinLoad, startServerProcess } from "./lib/server-process.ts";
import type { ServerProcess } from "./lib/server-process.ts";

const script = benchScript();
const rounds = script.quick ? 2 : 5;
const server = (name: string): string => join(import.meta.dirname, `servers/${name}`);
const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": method,
  ...(name !== undefined && { "Mcp-Name": name }),
});
const legacyHeaders = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" };
const claim = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};
const args = { number: 997, note: "x".repeat(280), tags: ["a", "b"] };

function modernRequest(path: string, method: string, params: { readonly name?: string } = {}): Buffer {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: claim } });
  return httpRequest(path, body, modernHeaders(method, params.name));
}

function legacyRequest(path: string, method: string, params: object = {}): Buffer {
  return httpRequest(path, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), legacyHeaders);
}

interface Peer {
  readonly name: string;
  readonly process: ServerProcess;
  readonly request: Buffer;
  readonly isSlow: boolean;
}

/** The same tool, or a hundred of them, in every server. */
async function startPeers(tools: number, method: "tools/call" | "tools/list"): Promise<readonly Peer[]> {
  const build = (request: (path: string, name?: string) => Buffer): Buffer => request("/mcp");
  const start = (name: string, ...words: readonly string[]): Promise<ServerProcess> =>
    startServerProcess(server(`${name}.ts`), [String(tools), ...words]);
  const modern = (name = "isPrime"): Buffer =>
    build((path) =>
      modernRequest(path, method, method === "tools/call" ? ({ name, arguments: args } as { name: string }) : {}),
    );
  const legacy = build((path) =>
    legacyRequest(path, method, method === "tools/call" ? { name: "isPrime", arguments: args } : {}),
  );
  const tenon = await startServerProcess(buildService(tools), ["--with-mcp", "--host", "127.0.0.1", "--port", "0"]);
  const list = method === "tools/list" ? await toolList(tenon.port) : undefined;
  const bare = await startServerProcess(server("bare.ts"), ["mcp", ...(list === undefined ? [] : [list])]);
  const [v1, v2, fast] = await Promise.all([start("sdk-v1"), start("sdk-v2"), start("fastmcp")]);
  return [
    { name: "bare node:http", process: bare, request: modern(), isSlow: false },
    { name: "tenon", process: tenon, request: modern(), isSlow: false },
    ...(method === "tools/call"
      ? [{ name: "tenon, async", process: tenon, request: modern("isPrimeLater"), isSlow: false }]
      : []),
    { name: "tenon, 2025-11-25", process: tenon, request: legacy, isSlow: false },
    { name: "SDK 2.x", process: v2, request: modern(), isSlow: true },
    { name: "SDK 1.x", process: v1, request: legacy, isSlow: true },
    { name: "fastmcp", process: fast, request: legacy, isSlow: true },
  ];
}

/** What tenon answers to `tools/list`, for the bare server to send the same. */
async function toolList(port: number): Promise<string> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: claim } });
  const headers = { "Content-Type": "application/json", ...modernHeaders("tools/list") };
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body });
  return JSON.stringify(((await answer.json()) as { result: object }).result);
}

function measure(peers: readonly Peer[], count: number, expected: string): Promise<Samples<"cpu" | "wall">> {
  const contenders = peers.map(({ name, process, request, isSlow }) => ({
    name,
    // The slow ones would take most of the time and say no more with as many requests.
    sample: () => process.measure(request, isSlow ? Math.ceil(count / 10) : count, expected),
  }));
  return interleave(contenders, {
    rounds,
    warmups: script.quick ? 1 : 2,
    onRound: (round) => script.progress(`round ${round + 1} of ${rounds}`),
  });
}

function rates(samples: Samples<"cpu" | "wall">): readonly Row[] {
  return samples.rows("wall").map(({ contender, median, spread }) => ({
    contender,
    median: 1e6 / median,
    spread: (1e6 / median) * (spread / median),
  }));
}

function bestOf(samples: Samples<"cpu" | "wall">, quantity: "cpu" | "wall"): number {
  return Math.min(...["SDK 2.x", "SDK 1.x", "fastmcp"].map((name) => samples.ratio(quantity, name, "tenon")));
}

function rateFigures(
  id: string,
  name: string,
  samples: Samples<"cpu" | "wall">,
  bound: number,
  lead?: number,
): readonly Figure[] {
  const bare = "bare node:http";
  const goals = (quantity: "cpu" | "wall"): Figure["goals"] => [
    atLeast(bound, `tenon ÷ bare`, samples.ratio(quantity, bare, "tenon")),
    ...(lead === undefined ? [] : [atLeast(lead, "tenon ÷ best other server", bestOf(samples, quantity))]),
  ];
  return [
    {
      id,
      name: `${name}, 32 connections`,
      unit: "requests/s",
      better: "higher",
      rows: rates(samples),
      goals: goals("wall"),
    },
    {
      id: `${id}-cpu`,
      name: `${name}, processor time of the server`,
      unit: "µs/request",
      better: "lower",
      rows: samples.rows("cpu"),
      goals: goals("cpu"),
    },
  ];
}

async function measureHttp(): Promise<readonly Figure[]> {
  const peers = await startPeers(2, "tools/call");
  const calls = await measure(peers, script.quick ? 1000 : 10_000, "997");
  script.progress("memory after many calls");
  const many = script.quick ? 2000 : 100_000;
  const unique = peers.filter(({ name }) => !name.startsWith("tenon,"));
  const memory: Row[] = [];
  for (const { name, process, request, isSlow } of unique) {
    await process.measure(request, isSlow ? many / 10 : many, "997");
    memory.push({ contender: name, median: await process.memory(), spread: 0 });
  }
  for (const { process } of peers) process.stop();
  const of = (name: string): number => memory.find(({ contender }) => contender === name)?.median ?? Number.NaN;
  const figure: Figure = {
    id: "mcp-memory",
    name: `Memory after ${many.toLocaleString("en")} calls over HTTP, of the slow servers after a tenth`,
    unit: "MB",
    better: "lower",
    rows: memory,
    goals: [atMost(1.3, "tenon ÷ bare", of("tenon") / of("bare node:http"))],
  };
  return [...rateFigures("mcp-call", "tools/call over HTTP", calls, 0.9, 12), figure];
}

async function measureLists(): Promise<readonly Figure[]> {
  const peers = await startPeers(100, "tools/list");
  const lists = await measure(peers, script.quick ? 200 : 3000, '"isPrime"');
  for (const { process } of peers) process.stop();
  return rateFigures("mcp-list", "tools/list with 100 tools", lists, 0.8);
}

async function measureLines(): Promise<readonly Figure[]> {
  const commands = {
    "bare node": [process.execPath, server("bare-lines.mjs")],
    tenon: [process.execPath, buildService(2), "--with-mcp-stdio"],
    "SDK 2.x": [process.execPath, server("sdk-v2.ts"), "1", "stdio"],
    "SDK 1.x": [process.execPath, server("sdk-v1.ts"), "1", "stdio"],
    fastmcp: [process.execPath, server("fastmcp.ts"), "1", "stdio"],
  };
  const call = (id: number): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "isPrime", arguments: args } });
  const start = await interleave(
    Object.entries(commands).map(([name, command]) => ({
      name,
      sample: async () => ({ ms: await firstAnswer(command) }),
    })),
    { rounds: script.quick ? 2 : 15 },
  );
  const rate = await interleave(
    Object.entries(commands).map(([name, command]) => ({
      name,
      sample: async () => ({ rate: await callsPerSecond(command, call, script.quick ? 1000 : 20_000) }),
    })),
    { rounds: script.quick ? 1 : 5, warmups: 0 },
  );
  return [
    {
      id: "mcp-stdio-start",
      name: "From the start of the process to the first answer over stdio",
      unit: "ms",
      better: "lower",
      rows: start.rows("ms"),
      goals: [atMost(1.3, "tenon ÷ bare", start.ratio("ms", "tenon", "bare node"))],
    },
    {
      id: "mcp-stdio-rate",
      name: "tools/call over stdio, 32 under way",
      unit: "calls/s",
      better: "higher",
      rows: rate.rows("rate"),
      goals: [atLeast(20_000, "tenon", rate.median("rate", "tenon"), "calls/s")],
    },
  ];
}

pinLoad();
const parts = { call: measureHttp, list: measureLists, stdio: measureLines };
const asked = script.words.length === 0 ? Object.keys(parts) : script.words;
const figures: Figure[] = [];
for (const [name, part] of Object.entries(parts)) if (asked.includes(name)) figures.push(...(await part()));
script.finish(figures);
