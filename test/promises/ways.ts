/** The ways in which a promise is kept: each build, served by each call, with each store, on each Node. */
import { builds } from "./builds.ts";
import type { BuildName } from "./builds.ts";

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
}

/** Ways with one store and one Node for each build and start call, so that all pairs of their values meet. */
function fewWays(): readonly Way[] {
  const buildNames = Object.keys(builds) as BuildName[];
  const starts = [...new Set(serves.map(startOf))];
  return allWays.filter(({ build, serve, store, node }) => {
    const turn = buildNames.indexOf(build) + starts.indexOf(startOf(serve));
    const isStore = withoutStore[serve] !== undefined || store === stores[turn % stores.length];
    return isStore && node === nodes[turn % nodes.length];
  });
}

const cellsOf = (ways: readonly Way[], promises: readonly string[], isFor: (cell: Cell) => boolean): readonly Cell[] =>
  ways.flatMap((way) => promises.map((promise) => ({ way, promise })).filter(isFor));

/** The whole product. */
export function allCells(promises: readonly string[], isFor: (cell: Cell) => boolean): readonly Cell[] {
  return cellsOf(allWays, promises, isFor);
}

/** The pairs of values that meet in a cell, its promise included. */
export function pairsOf({ way, promise }: Cell): readonly string[] {
  const values = [promise, ...valuesOf(way)];
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} | ${other}`));
}

/** The short form: a few cells, in which all pairs of values meet. The same for the same promises. */
export function coveringCells(promises: readonly string[], isFor: (cell: Cell) => boolean): readonly Cell[] {
  const open = new Set(allCells(promises, isFor).flatMap(pairsOf));
  const candidates = cellsOf(fewWays(), promises, isFor).map((cell) => ({ cell, pairs: pairsOf(cell) }));
  const chosen: Cell[] = [];
  for (let wanted = 10; wanted > 0; wanted--) {
    for (const { cell, pairs } of candidates) {
      const fresh = pairs.filter((pair) => open.has(pair));
      if (fresh.length < wanted) continue;
      for (const pair of fresh) open.delete(pair);
      chosen.push(cell);
    }
  }
  return chosen;
}
