/**
 * Steps of durable jobs in PostgreSQL, on a server of its own whose writes wait for the disk: steps a second and one
 * alone beside DBOS, the steps of a job read again, and what steps cost a build. `node bench/durable.ts [jobs] [rounds]
 * [--quick] [--json FILE]`.
 */
import { startPostgres } from "../test/support/postgres-server.ts";
import { benchScript } from "./lib/script.ts";
import { buildFigure } from "./store/durable-build.ts";
import { recallFigure } from "./store/durable-recall.ts";
import { stepFigures } from "./store/durable-steps.ts";

const { quick, words, progress, finish } = benchScript();
const jobs = Number(words[0] ?? (quick ? 100 : 1000));
const rounds = Number(words[1] ?? (quick ? 2 : 5));

const server = await startPostgres({ isDurable: true, settings: ["max_connections=200"] });
const url = server.url();
try {
  const steps = await stepFigures({ url, rounds, jobs, progress });
  const recall = await recallFigure(url, rounds);
  progress("durable: builds");
  finish([...steps, recall, await buildFigure(rounds)]);
} finally {
  await server.stop();
}
