/** The ways in which a promise is kept: each build, served by each call, with each store, on each Node. */
import { builds, type BuildName } from "./builds.ts";
import type { Known, Setting } from "./promise.ts";

export const serves = [
  "REST",
  "createFetchHandler",
  "registerMcp",
  "stdio",
  "batch",
  "thread",
  "MCP 2025-11-25, session",
  "MCP 2026-07-28",
] as const;
export const stores = ["memory", "SQLite", "PostgreSQL"] as const;
export const nodes = ["Node 22.19", "Node 24"] as const;

export type Serve = (typeof serves)[number];
export type Store = (typeof stores)[number];
export type NodeLine = (typeof nodes)[number];

export interface Way {
  readonly build: BuildName;
  readonly serve: Serve;
  readonly store: Store;
  readonly node: NodeLine;
}

/** Ways of serving that keep no jobs, with the reason why a store makes no difference to them. */
export const withoutStore: Readonly<Partial<Record<Serve, string>>> = {
  stdio: "the jobs of a client over standard input and output end with it, so that they are in memory",
  batch: "the platform keeps the jobs of a batch worker",
};

/** The whole product, without stores that a way of serving has no use for. */
export const allWays: readonly Way[] = (Object.keys(builds) as BuildName[]).flatMap((build) =>
  serves.flatMap((serve) =>
    (withoutStore[serve] === undefined ? stores : stores.slice(0, 1)).flatMap((store) =>
      nodes.map((node) => ({ build, serve, store, node })),
    ),
  ),
);

/** The values of a way, as columns. */
export function valuesOf({ build, serve, store, node }: Way): readonly string[] {
  return [build, serve, store, node];
}

/** The start call of a way. Ways with the same one can share a process. */
export function startOf(serve: Serve): "startLambdaServer" | Exclude<Serve, "REST" | "thread" | `MCP ${string}`> {
  return serve === "REST" || serve === "thread" || serve.startsWith("MCP ")
    ? "startLambdaServer"
    : (serve as Exclude<Serve, "REST" | "thread" | `MCP ${string}`>);
}

/** One promise in one way. */
export interface Cell {
  readonly way: Way;
  readonly promise: string;
  readonly setting: Setting;
}

/** A number of a build and a start call, which spreads stores, lines of Node and settings over them. */
function turnOf({ build, serve }: Way): number {
  return buildNames.indexOf(build) + starts.indexOf(startOf(serve));
}

const buildNames = Object.keys(builds) as BuildName[];
const starts = [...new Set(serves.map(startOf))];

/** Ways with one store and one Node for each build and start call, so that all pairs of their values meet. */
const fewWays = allWays.filter((way) => {
  const turn = turnOf(way);
  const isStore = withoutStore[way.serve] !== undefined || way.store === stores[turn % stores.length];
  return isStore && way.node === nodes[turn % nodes.length];
});

export type Rows = ReadonlyMap<string, Known>;

/** The whole product. */
export function allCells(rows: Rows, isFor: (cell: Cell) => boolean): readonly Cell[] {
  return cellsOf(allWays, rows, isFor);
}

/** Without a setting of its own, a promise is tried in that of the way: each process has one. */
function cellsOf(ways: readonly Way[], rows: Rows, isFor: (cell: Cell) => boolean): readonly Cell[] {
  return ways.flatMap((way) => {
    const usual = usualSetting(way);
    return [...rows].map(([promise, { setting = usual }]) => ({ way, promise, setting })).filter(isFor);
  });
}

function usualSetting(way: Way): Setting {
  return Math.floor(turnOf(way) / 2) % 2 === 0 ? "open" : "guarded";
}

/** The pairs of values that meet in a cell, its promise included. */
export function pairsOf({ way, promise }: Cell): readonly string[] {
  const values = [promise, ...valuesOf(way)];
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} | ${other}`));
}

/**
 * The short form: a few cells in a few processes, in which all pairs of values meet. The same for the same promises.
 */
export function coveringCells(rows: Rows, isFor: (cell: Cell) => boolean): readonly Cell[] {
  const open = new Set(allCells(rows, isFor).flatMap(pairsOf));
  const tools = [...new Set([...rows.values()].map(toolOf))];
  // A batch worker has one tool, so that each of them is in one build.
  const isCheap = ({ way, promise, setting }: Cell): boolean => {
    const known = rows.get(promise);
    if (known === undefined || setting !== usualSetting(way)) return false;
    return way.serve !== "batch" || buildNames[tools.indexOf(toolOf(known)) % buildNames.length] === way.build;
  };
  const few = cellsOf(fewWays, rows, isFor);
  const chosen: Cell[] = [];
  for (const candidates of [few.filter(isCheap), few]) {
    const withPairs = candidates.map((cell) => ({ cell, pairs: pairsOf(cell) }));
    for (let wanted = 10; wanted > 0; wanted--) {
      for (const { cell, pairs } of withPairs) {
        const fresh = pairs.filter((pair) => open.has(pair));
        if (fresh.length < wanted) continue;
        for (const pair of fresh) open.delete(pair);
        chosen.push(cell);
      }
    }
  }
  return chosen;
}

/** The tool that a promise calls first. */
export function toolOf({ steps }: Known): string {
  return steps.map((step) => ("call" in step ? step.call : "")).find((name) => name !== "") ?? "";
}
