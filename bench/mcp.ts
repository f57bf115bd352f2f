/**
 * MCP servers beside a bare one: `tools/call`, and the start over standard input and output.
 * `node bench/mcp.ts [--quick] [--json FILE]`; needs `npm install` in `bench/`.
 */
import { join } from "node:path";
import { buildService } from "./lib/build-service.ts";
import { atLeast, type Figure, type Row } from "./lib/figure.ts";
import { args, legacyRequest, modernRequest } from "./lib/mcp-requests.ts";
import { measureLines } from "./lib/measure-lines.ts";
import { interleave, type Samples } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { pinLoad, startServerProcess, type ServerProcess } from "./lib/server-process.ts";

const script = benchScript();
const server = (name: string): string => join(import.meta.dirname, `servers/${name}`);

interface Peer {
  readonly name: string;
  readonly process: ServerProcess;
  readonly request: Buffer;
  /** Share of the requests of a turn; default 1. */
  readonly share?: number;
}

/** Starts the same tool in every server. Servers that are at least ten times slower are `slow`. */
async function startPeers(tools: number): Promise<{ readonly fast: readonly Peer[]; readonly slow: readonly Peer[] }> {
  const start = (name: string, ...words: readonly string[]): Promise<ServerProcess> =>
    startServerProcess(server(`${name}.ts`), [String(tools), ...words]);
  const modern = (name = "isPrime"): Buffer => modernRequest("tools/call", { name, arguments: args });
  const legacy = legacyRequest("tools/call", { name: "isPrime", arguments: args });
  const tenon = await startServerProcess(buildService(tools), ["--with-mcp", "--host", "127.0.0.1", "--port", "0"]);
  const bare = await startServerProcess(server("bare.ts"), ["mcp"]);
  const [v1, v2, fast] = await Promise.all([start("sdk-v1"), start("sdk-v2"), start("fastmcp")]);
  return {
    fast: [
      { name: "bare node:http", process: bare, request: modern() },
      // Requests of older revisions are shorter, even for a server that ignores the difference.
      { name: "bare node:http, 2025-11-25", process: bare, request: legacy },
      { name: "tenon", process: tenon, request: modern() },
      { name: "tenon, async", process: tenon, request: modern("isPrimeLater") },
      { name: "tenon, 2025-11-25", process: tenon, request: legacy },
    ],
    slow: [
      { name: "SDK 2.x", process: v2, request: modern() },
      { name: "SDK 1.x", process: v1, request: legacy },
      { name: "fastmcp", process: fast, request: legacy },
    ],
  };
}

type Costs = Samples<"cpu" | "wall">;

interface Pace {
  /** Requests before the first round, so that the compiler has optimised the code. */
  readonly warmup: number;
  /** Requests per turn. */
  readonly count: number;
  readonly rounds: number;
}

/**
 * Measures in turns that are short, so that other load on the machine affects all alike. Each turn begins with requests
 * that are not counted: a process that has waited has cold caches and a small heap, which a busy server has not.
 */
async function measure(peers: readonly Peer[], { warmup, count, rounds }: Pace, expected: string): Promise<Costs> {
  for (const { process, request } of peers) await process.measure(request, warmup, expected);
  return interleave(
    peers.map(({ name, process, request, share = 1 }) => ({
      name,
      async sample() {
        await process.measure(request, Math.ceil((count * share) / 2), expected);
        return process.measure(request, count * share, expected);
      },
    })),
    { rounds, onRound: (round) => round % 5 === 0 && script.progress(`round ${round + 1} of ${rounds}`) },
  );
}

interface Measured {
  readonly fast: Costs;
  /** The slow servers beside tenon, with fewer requests. */
  readonly slow: Costs;
}

async function measureAll(
  { fast, slow }: Awaited<ReturnType<typeof startPeers>>,
  pace: Pace,
  expected: string,
): Promise<Measured> {
  // tenon's turn takes as long as those of servers that are ten times slower.
  const tenon = fast.filter(({ name }) => name === "tenon").map((peer) => ({ ...peer, share: 10 }));
  const slowPace = script.quick ? { warmup: 50, count: 32, rounds: 1 } : { warmup: 1000, count: 200, rounds: 7 };
  return { fast: await measure(fast, pace, expected), slow: await measure([...tenon, ...slow], slowPace, expected) };
}

function rows({ fast, slow }: Measured, quantity: "cpu" | "wall"): readonly Row[] {
  return [...fast.rows(quantity), ...slow.rows(quantity).filter(({ contender }) => contender !== "tenon")];
}

function bestOf({ slow }: Measured, quantity: "cpu" | "wall"): number {
  return Math.min(...["SDK 2.x", "SDK 1.x", "fastmcp"].map((name) => slow.ratio(quantity, name, "tenon")));
}

function rateFigures(id: string, name: string, measured: Measured): readonly Figure[] {
  const bare = "bare node:http";
  const old = ", 2025-11-25";
  return [
    {
      id,
      name: `${name}, 32 connections`,
      unit: "requests/s",
      better: "higher",
      rows: rows(measured, "wall").map(({ contender, median, spread }) => ({
        contender,
        median: 1e6 / median,
        spread: (1e6 / median) * (spread / median),
      })),
      goals: [
        atLeast(0.9, "tenon ÷ bare", measured.fast.ratio("wall", bare, "tenon")),
        atLeast(0.9, `tenon ÷ bare${old}`, measured.fast.ratio("wall", bare + old, `tenon${old}`)),
      ],
    },
    {
      id: `${id}-cpu`,
      name: `${name}, processor time of the server`,
      unit: "µs/request",
      better: "lower",
      rows: rows(measured, "cpu"),
      goals: [atLeast(12, "best other server ÷ tenon", bestOf(measured, "cpu"))],
    },
  ];
}

async function measureHttp(): Promise<readonly Figure[]> {
  const peers = await startPeers(2);
  const pace = {
    warmup: script.quick ? 3000 : 20_000,
    count: script.quick ? 1000 : 4000,
    rounds: script.quick ? 3 : 15,
  };
  const calls = await measureAll(peers, pace, "997");
  for (const { process } of [...peers.fast, ...peers.slow]) process.stop();
  return rateFigures("mcp-call", "tools/call over HTTP", calls);
}

pinLoad();
const parts = { call: measureHttp, stdio: () => measureLines(script.quick) };
const asked = script.words.length === 0 ? Object.keys(parts) : script.words;
const figures: Figure[] = [];
for (const [name, part] of Object.entries(parts)) if (asked.includes(name)) figures.push(...(await part()));
script.finish(figures);
