import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TellsHeld } from "../../../../../runtime/executor/store/held-jobs.ts";
import type { CountsJobs } from "../../../../../runtime/executor/store/job-counts.ts";
import type { Claim, JobStore, NewJob } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { openPostgresStore } from "../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { mostAhead } from "../../../../../runtime/contract/wait-text.ts";
import { limitsOf } from "../../../../../runtime/job/limits/limits-of.ts";
import { startPostgres, type PostgresServer } from "../../../../support/postgres-server.ts";
import { newJob, urn } from "./conformance.ts";
import { sqlitePlace } from "./sqlite-place.ts";

/** `npm run chaos:limits` makes the long form. */
const keys = Number(process.env["TENON_LIMIT_KEYS"] ?? 2000);
const backlog = Number(process.env["TENON_LIMIT_BACKLOG"] ?? 2000);
/** Milliseconds; the long form on PostgreSQL takes most of an hour. */
const timeout = 3_600_000;
const atOnce = 500;
const claimsAtOnce = 256;
const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;
const tool = {
  name: "one",
  options: {},
  definition: { limit: { jobs: 1, per: "request.a", beyond: "wait" } },
} as const;

type Store = JobStore & CountsJobs & Partial<TellsHeld>;

/** A job whose key is made as a service makes it. */
function keyed(name: string, value: unknown): NewJob {
  return newJob(name, { ttl: 3600, ...limitsOf(tool as never, { input: { a: value } }) });
}

async function submitAll(store: Store, jobs: Iterable<NewJob>): Promise<void> {
  let batch: NewJob[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(batch.map((job) => store.submit(job)));
    batch = [];
  };
  for (const job of jobs) {
    batch.push(job);
    if (batch.length === atOnce) await flush();
  }
  await flush();
}

/** Claims jobs, and ends them, until there are none; calls `ended` with the name of each, in order. */
async function workOff(store: Store, ended: (name: string) => void, limit = Infinity): Promise<void> {
  for (let count = 0; count < limit;) {
    const most = Math.min(claimsAtOnce, limit - count);
    const claims = await Promise.all(Array.from({ length: most }, () => store.claim({ seconds: 600, tools: ["one"] })));
    const found = claims.filter((claim): claim is Claim => claim !== undefined);
    if (found.length === 0) break;
    await Promise.all(found.map(({ lease }) => store.settle(lease, done)));
    for (const { job } of found) ended(job.id.slice(urn("").length));
    count += found.length;
  }
}

/** Two jobs of each key, of which only the first `most` have a second one. */
function* pairs(most = keys): Generator<NewJob> {
  for (let n = 0; n < keys; n++) {
    yield keyed(`a${n}`, `account ${n}`);
    if (n < most) yield keyed(`b${n}`, `account ${n}`);
  }
}

/** Counts the ends of jobs, and those that are wrong: twice, or before the job that was first. */
function endsOf(): {
  readonly see: (name: string) => void;
  readonly wrong: () => number;
  readonly count: () => number;
} {
  // A byte for each key, since names of millions of jobs would be most of the memory of the test.
  const seen = new Uint8Array(keys);
  let [count, wrong] = [0, 0];
  return {
    see(name) {
      const key = Number(name.slice(1));
      const expected = name.startsWith("a") ? 0 : 1;
      if (seen[key] !== expected) wrong++;
      seen[key] = expected + 1;
      count++;
    },
    wrong: () => wrong,
    count: () => count,
  };
}

/** Prints time and memory in the long form. */
function figures(title: string): (what: string) => void {
  const start = performance.now();
  return (what) => {
    if (process.env["TENON_LIMIT_KEYS"] === undefined) return;
    const seconds = Math.round((performance.now() - start) / 1000);
    const { user, system } = process.cpuUsage();
    const rss = process.memoryUsage.rss();
    const text = `${title}: ${what} after ${seconds} s, ${Math.round((user + system) / 1e6)} s of processor time here`;
    process.stdout.write(`${text}, ${Math.round(rss / 1e6)} MB\n`);
  };
}

const closing: (() => unknown)[] = [];
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => server.stop());

async function open(kind: string): Promise<Store> {
  if (kind === "memory") return createMemoryStore({ maxFinished: 1000 });
  const place = sqlitePlace();
  closing.push(() => place.remove());
  const options = { maxFinished: 1000 };
  const store = kind === "sqlite" ? place.open(options) : await openPostgresStore(server.url("many"), options);
  closing.push(() => store.close());
  return store;
}

describe.each(["memory", "sqlite", "postgres"])("keys of limits on %s", (kind) => {
  // PostgreSQL takes the longest, so that fewer keys have a second job in the long form.
  const seconds = kind === "postgres" ? Math.min(keys, 100_000) : keys;

  test(
    `${keys} of them, with one or two jobs each, keep their limit and leave nothing behind`,
    { timeout },
    async () => {
      const store = await open(kind);
      const say = figures(`${keys} keys on ${kind}`);
      await submitAll(store, pairs(seconds));
      say("submitted");
      const held = await store.heldJobs?.(100);
      expect([held?.tools, held?.keys.length]).toMatchObject([[{ tool: "one", held: seconds }], Math.min(keys, 100)]);
      const ends = endsOf();
      await workOff(store, ends.see);
      say("ended");
      expect([ends.count(), ends.wrong()]).toEqual([keys + seconds, 0]);
      expect([await store.heldJobs?.(1), await store.counts()]).toEqual([{ tools: [], keys: [] }, []]);
      // A key that was empty begins anew.
      expect(await store.submit(keyed("again", "account 0"), 15)).toHaveProperty("lease");
    },
  );

  test(`a backlog of ${backlog} jobs of one key delays no other job`, { timeout }, async () => {
    const store = await open(kind);
    await submitAll(
      store,
      [...Array(backlog).keys()].map((n) => keyed(`x${n}`, "x")),
    );
    await submitAll(
      store,
      [...Array(20).keys()].map((n) => keyed(`y${n}`, `y${n % 10}`)),
    );
    await submitAll(
      store,
      [...Array(10).keys()].map((n) => newJob(`free${n}`, { ttl: 3600 })),
    );
    const others = 30;
    const first: string[] = [];
    await workOff(store, (name) => void first.push(name), others + 3);
    expect(first.filter((name) => !name.startsWith("x"))).toHaveLength(others);
    // Of a long queue only the beginning is counted.
    const ahead = Math.min(backlog - 3, mostAhead);
    expect(await store.submit(keyed("last", "x"))).toMatchObject({ waiting: { line: { limit: "a", ahead } } });
    expect((await store.get(urn("last")))?.waiting?.line?.ahead).toBe(ahead);
  });
});

test("on PostgreSQL no row of a key is left, also of a line that is cancelled", async () => {
  const client = new pg.Client(server.url());
  await client.connect();
  const store = await open("postgres");
  const key = keyed("x", "x").limit?.key ?? "";
  for (const which of ["held", "begun"] as const) {
    const jobs = (await store.jobsOfKey?.({ key, which, most: backlog + 9 })) ?? [];
    await Promise.all(jobs.map(({ id }) => store.cancel(id, "enough")));
  }
  await workOff(store, () => {});
  await store.reap();
  const { rows } = await client.query("SELECT limit_key FROM many.limit_keys");
  await client.end();
  expect(rows).toEqual([]);
});

test("keys of different tools, paths and values are never one text", () => {
  const parts = ["a", "a b", 'a "b"', "request.a", '" "', "", "a\\", '\\"', "a.b", "b", "\ud800", "__proto__"];
  const names = ["one", "one.request", "one-a"];
  const paths = ["request.a", "request.a.b", "request.b"];
  const found = new Set<string>();
  for (const name of names)
    for (const per of paths)
      for (const value of parts) {
        const input = { a: per === "request.a.b" ? { b: value } : value, b: value };
        const { limit } = limitsOf(
          { ...tool, name, definition: { limit: { jobs: 1, per, beyond: "wait" } } } as never,
          {
            input,
          },
        );
        found.add(limit?.key ?? "none");
      }
  expect(found.size).toBe(names.length * paths.length * parts.length);
});
