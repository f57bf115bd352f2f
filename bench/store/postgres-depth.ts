import { Client } from "pg";
import { openPostgresStore } from "../../runtime/executor/store/postgres/open-postgres.ts";
import type { JobStore } from "../../runtime/executor/store/job-store.ts";
import { atMost, type Figure } from "../lib/figure.ts";
import { interleave } from "../lib/rounds.ts";
import { input } from "./steps.ts";

export interface DepthSizes {
  readonly url: string;
  readonly rounds: number;
  /** Jobs that wait in the full store. */
  readonly waiting: number;
  readonly progress: (text: string) => void;
}

const few = 1000;
const claims = 100;

/** A claim of the oldest job, with few and with many waiting. */
export async function depthFigure({ url, rounds, waiting, progress }: DepthSizes): Promise<Figure> {
  const sizes = [few, waiting];
  const names = sizes.map((size) => `${size.toLocaleString("en")} waiting`);
  const stores: JobStore[] = [];
  for (const [index, size] of sizes.entries()) {
    progress(`store: ${size.toLocaleString("en")} jobs begin to wait`);
    stores.push(await fill(url, `depth${index}`, size));
  }
  try {
    const samples = await interleave(
      stores.map((store, index) => ({
        name: names[index] ?? "",
        sample: async () => ({ ms: await claimTime(store) }),
      })),
      { rounds },
    );
    const [small = "", large = ""] = names;
    return {
      id: "store-postgres-depth",
      name: "Claim of the oldest job on PostgreSQL, one at a time, median",
      unit: "ms",
      better: "lower",
      rows: samples.rows("ms"),
      goals: [atMost(2, `${large} ÷ ${small}`, samples.ratio("ms", large, small))],
    };
  } finally {
    for (const store of stores) await store.close();
  }
}

/** A store with jobs that wait, written as the store would write them. */
async function fill(url: string, schema: string, size: number): Promise<JobStore> {
  const store = await openPostgresStore(`${url}?schema=${schema}`);
  const client = new Client(url);
  await client.connect();
  await client.query(
    `INSERT INTO ${schema}.jobs (phase, due, attempt, id, max_attempts, ttl, tool, input)
     SELECT 0, 0, 0, 'job-' || n, 3, 3600, 'bench', $1 FROM generate_series(1, $2::integer) AS n`,
    [JSON.stringify(input), size],
  );
  // As the server does by itself, a while later.
  await client.query(`VACUUM ANALYZE ${schema}.jobs`);
  await client.end();
  return store;
}

/** Milliseconds; each job goes back, so that as many wait as before. */
async function claimTime(store: JobStore): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < claims; count++) {
    const began = performance.now();
    const claim = await store.claim({ seconds: 15, tools: ["bench"] });
    times.push(performance.now() - began);
    if (claim === undefined) throw new Error("no claim");
    await store.release(claim.lease, 0);
  }
  return times.toSorted((one, other) => one - other)[claims >> 1] ?? Number.NaN;
}
