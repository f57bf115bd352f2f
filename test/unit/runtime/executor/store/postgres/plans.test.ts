import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrationSql } from "../../../../../../runtime/executor/store/postgres/schema.ts";
import { statementsOf } from "../../../../../../runtime/executor/store/postgres/statements.ts";
import type { JobStore } from "../../../../../../runtime/executor/store/job-store.ts";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { event, given, newJob, urn } from "../conformance.ts";
import { startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";

const schema = "plans";
/** Statements that may read all jobs in this plan, each for a reason. */
const wholeByDesign: ReadonlyMap<string, string> = new Map([
  ["probe", "is a block of statements, and has no plan"],
  ["dropOldest", "has any limit here; with the real one of some hundreds it goes by keys"],
  ["dropSurplus", "has any limit here; with the real one of some hundreds it goes by keys"],
  ["countFinishedByTool", "counts all that have ended, once in as many rounds as there are tens of thousands"],
  ["ownTools", "looks for jobs only where a service takes a tool of another one that has gone"],
]);
const statements = Object.entries(statementsOf(schema)).filter(([name]) => !wholeByDesign.has(name));
let server: PostgresServer;
let client: pg.Client;
beforeAll(async () => {
  server = await startPostgres();
  client = new pg.Client(server.url());
  await client.connect();
  // Parked for a day, ended an hour ago, and a few that wait or run.
  await client.query(`BEGIN; ${migrationSql(schema, 0)} COMMIT;
    INSERT INTO ${schema}.jobs (id, phase, due, attempt, max_attempts, ttl, tool)
    SELECT 'job-' || n, CASE WHEN n % 1000 = 0 THEN 0 WHEN n % 1000 = 1 THEN 2 WHEN n % 50 = 2 THEN 3 ELSE 1 END,
      (extract(epoch FROM now()) * 1000)::bigint + 86400000, 1, 3, 86400, 'tool-' || n % 3
    FROM generate_series(1, 60000) AS n;
    ANALYZE ${schema}.jobs`);
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

/** Submits a job, and runs it to its end. */
async function runJob(store: JobStore, name: string, tool = "count"): Promise<void> {
  await store.submit(newJob(name, { tool }));
  const { lease } = given(await store.claim({ seconds: 60, id: urn(name) }));
  await store.keep?.(lease, []);
  await store.progress(lease, [event(1), event(2)]);
  await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } });
}

/** Waits for the statistics of stores that are closed: a connection hands them in when it ends. */
async function statisticsOfStores(): Promise<void> {
  const connections = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'tenon'";
  await expect.poll(async () => (await client.query<{ n: number }>(connections)).rows[0]?.n).toBe(0);
}

/** Steps of a plan that read all jobs, whatever the values of the statement are. */
async function readsAll(text: string): Promise<readonly string[]> {
  const { rows } = await client.query<Record<"QUERY PLAN", string>>(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`);
  return wholeReads(
    rows.map((row) => row["QUERY PLAN"]),
    "jobs_pkey",
  );
}

/** Lines of a plan that read the whole table, or the whole of an index whose name matches. */
function wholeReads(lines: readonly string[], index: string): readonly string[] {
  const ofIndex = new RegExp(`Index (?:Only )?Scan .*using ${index} on jobs`);
  return lines.filter((line, at) => {
    if (/Seq Scan on jobs/.test(line)) return true;
    return ofIndex.test(line) && !(lines[at + 1] ?? "").trim().startsWith("Index Cond:");
  });
}

test.each(statements)("%s finds its jobs by an index beside many parked ones", async (_name, { text }) => {
  expect(await readsAll(text)).toEqual([]);
});

test.each(statements.filter(([name]) => name === "ahead" || name === "dropHeld"))(
  "%s finds held jobs by their ids",
  async (_name, { text }) => {
    const { rows } = await client.query<Record<"QUERY PLAN", string>>(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`);
    const lines = rows.map((row) => row["QUERY PLAN"]);
    expect(lines.join("\n")).toMatch(/Cond: \(\(?id = ANY/);
    expect(wholeReads(lines, "jobs_\\w+")).toEqual([]);
  },
);

test("functions of limits find the jobs of their keys by an index, also with a plan for a table without held jobs", async () => {
  const plans: string[] = [];
  client.on("notice", ({ message = "" }) => void plans.push(message));
  await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
    SET auto_explain.log_level = notice`);
  await client.query(`INSERT INTO ${schema}.jobs (id, phase, due, attempt, max_attempts, ttl, tool, limit_key, cap)
    SELECT 'held-' || n, -1, 0, 0, 3, 60, 'tool-1', 'key-' || n % 2, 1 FROM generate_series(1, 6) AS n`);
  await client.query(`SELECT * FROM ${schema}.let_in(ARRAY['key-0', 'key-1'], '{}', '{}', '{}', '{}', 1)`);
  await client.query(`SELECT ${schema}.ahead('key-0', 1000000, 10)`);
  client.removeAllListeners("notice");
  const lines = plans.flatMap((plan) => plan.split("\n"));
  expect(lines.filter((line) => /using jobs_\w+ on jobs/.test(line)).length).toBeGreaterThan(5);
  expect(wholeReads(lines, "jobs_\\w+")).toEqual([]);
});

test("jobs with head starts are claimed in the order of an index, whatever their backlog", async () => {
  await client.query(`INSERT INTO ${schema}.jobs (id, phase, due, attempt, max_attempts, ttl, tool, head_start, early)
    SELECT 'early-' || n, 0, n, 0, 3, 60, 'early', n % 7, n - n % 7 FROM generate_series(1, 20000) AS n;
    ANALYZE ${schema}.jobs`);
  const { claimEarliest } = statementsOf(schema);
  const values = [null, ["early"], 3, 15, false, ["a", "b", "c"], ["early"]];
  const { rows } = await client.query<Record<"QUERY PLAN", string>>(
    `EXPLAIN (ANALYZE, TIMING OFF) ${claimEarliest.text}`,
    values,
  );
  const lines = rows.map((row) => row["QUERY PLAN"]);
  const scans = lines.filter((line) => /Scan using jobs_early on jobs/.test(line));
  expect(scans).toEqual([expect.stringMatching(/actual rows=3(?:\.00)? /)]);
});

test("the statements of a store go by indexes, also when the server last saw a small table", async () => {
  const store = await openPostgresStore(server.url("small"));
  for (let round = 0; round < 20; round++) {
    // The server plans a statement for good after its first runs.
    if (round === 1) await client.query("ANALYZE small.jobs, small.events");
    await Promise.all(Array.from({ length: 40 }, (_, index) => runJob(store, `job-${round}-${index}`)));
  }
  await store.close();
  await statisticsOfStores();
  const { rows } = await client.query(`SELECT relname, seq_tup_read::int AS read FROM pg_stat_user_tables
    WHERE schemaname = 'small' AND relname IN ('jobs', 'events', 'steps') ORDER BY relname`);
  expect(rows).toEqual(["events", "jobs", "steps"].map((relname) => ({ relname, read: 0 })));
});

describe.each([
  ["all tools together", { maxFinished: 20_000 }],
  ["a tool with a number of its own", { maxFinished: 1, perTool: new Map([["many", 20_000]]) }],
])("finished jobs of %s", (_name, limits) => {
  const own = `finished_${"perTool" in limits ? "tool" : "all"}`;
  /** Number of jobs by their ids: what reads the index that the store counts by is counted below. */
  const stored = async (): Promise<number> => {
    await client.query("SET enable_seqscan = off");
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${own}.jobs WHERE id > ''`);
    await client.query("RESET enable_seqscan");
    return rows[0]?.n ?? Number.NaN;
  };
  let now = Date.now();
  let store: JobStore;
  beforeAll(async () => {
    store = await openPostgresStore(server.url(own), { ...limits, now: () => now });
    await client.query(
      `INSERT INTO ${own}.jobs (id, phase, due, attempt, max_attempts, ttl, tool)
       SELECT 'old-' || n, 3, $1::bigint + CASE WHEN n <= 5 THEN 1000 ELSE 9000000 + n END, 1, 3, 86400, 'many'
       FROM generate_series(1, 20000) AS n`,
      [now],
    );
    await client.query(`VACUUM ANALYZE ${own}.jobs`);
  });

  test("keep their limit between two counts, whatever has expired", async () => {
    await store.reap();
    now += 2000;
    await store.reap();
    expect(await stored()).toBe(19_995);
    for (let index = 0; index < 5; index++) await runJob(store, `new-${index}`, "many");
    expect(await stored()).toBe(20_000);
  });

  test("are counted in one of two rounds when they are 20,000", async () => {
    for (let round = 0; round < 6; round++) await store.reap();
    await store.close();
    await statisticsOfStores();
    const { rows } = await client.query<{ read: number }>(`SELECT (t.seq_tup_read + i.idx_tup_read)::int AS read
      FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid)
      WHERE t.schemaname = '${own}' AND t.relname = 'jobs' AND i.indexrelname = 'jobs_due'`);
    // Of eight rounds, four have counted.
    expect(Math.round((rows[0]?.read ?? 0) / 20_000)).toBe(4);
  });
});

test("a statement that reads all jobs would be seen", async () => {
  expect(await readsAll(`SELECT seq FROM ${schema}.jobs WHERE due <= $1`)).toHaveLength(1);
  expect(await readsAll(`SELECT seq FROM ${schema}.jobs WHERE phase = 1 ORDER BY seq LIMIT 1`)).toHaveLength(1);
});
