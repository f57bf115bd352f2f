/**
 * Curves in place of points: time and memory of builds over tools and over members of a type, calls a second over
 * connections, jobs a second over replicas, answer times over stored jobs, each beside a rival. `npm run build && node
 * bench/growth.ts [builds|connections|replicas|stored …] [--quick] [--json FILE]`; `bench/run.ts` makes `docs/growth.md`
 * of them. The peers need `npm ci --prefix bench`.
 */
import { startPostgres } from "../test/support/postgres-server.ts";
import { buildFigures } from "./growth/builds.ts";
import { connectionsFigure } from "./growth/connections.ts";
import { replicasFigure } from "./growth/replicas.ts";
import { storedFigure } from "./growth/stored.ts";
import type { Figure } from "./lib/figure.ts";
import { benchScript } from "./lib/script.ts";

const { quick, words, progress, finish } = benchScript();
const isWanted = (part: string): boolean => words.length === 0 || words.includes(part);
const figures: Figure[] = [];
if (isWanted("builds")) figures.push(...buildFigures(quick, progress));
if (isWanted("connections")) figures.push(await connectionsFigure(quick, progress));
if (isWanted("replicas") || isWanted("stored")) {
  const server = await startPostgres({ isDurable: true, settings: ["max_connections=400"] });
  try {
    if (isWanted("replicas")) figures.push(await replicasFigure(server.url(), quick, progress));
    if (isWanted("stored")) figures.push(await storedFigure(server.url(), quick, progress));
  } finally {
    await server.stop();
  }
}
finish(figures);
