/**
 * Jobs in PostgreSQL, on a server of its own whose writes wait for the disk: jobs per second beside pg-boss and
 * graphile-worker, a claim among few and many waiting jobs, and what replicas cost and hold. `node
 * bench/store-postgres.ts [jobs] [rounds] [waiting] [--quick] [--json FILE]`.
 */
import { startPostgres } from "../test/support/postgres-server.ts";
import { benchScript } from "./lib/script.ts";
import { depthFigure } from "./store/postgres-depth.ts";
import { queueFigures } from "./store/postgres-queues.ts";
import { replicaFigures } from "./store/postgres-replicas.ts";

const { quick, words, progress, finish } = benchScript();
const jobs = Number(words[0] ?? (quick ? 1000 : 10_000));
const rounds = Number(words[1] ?? (quick ? 2 : 5));
const waiting = Number(words[2] ?? (quick ? 20_000 : 1_000_000));

const server = await startPostgres({ isDurable: true, settings: ["max_connections=200"] });
const url = server.url();
try {
  const queues = await queueFigures({ url, rounds, jobs, progress });
  progress("store: replicas on PostgreSQL");
  const replicas = await replicaFigures({ url, rounds });
  finish([...queues, await depthFigure({ url, rounds, waiting, progress }), ...replicas]);
} finally {
  await server.stop();
}
