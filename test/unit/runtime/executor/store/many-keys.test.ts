import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TellsHeld } from "../../../../../runtime/executor/store/held-jobs.ts";
import type { CountsJobs } from "../../../../../runtime/executor/store/job-counts.ts";
import type { Claim, JobStore, NewJob } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { openPostgresStore } from "../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { limitsOf } from "../../../../../runtime/job/limits/limits-of.ts";
import { startPostgres } from "../../../../support/postgres-server.ts";
import type { PostgresServer } from "../../../../support/postgres-server.ts";
import { newJob, urn } from "./conformance.ts";
import { sqlitePlace } from "./sqlite-place.ts";

/** `npm run chaos:limits` makes the long form. */
const keys = Number(process.env["TENON_LIMIT_KEYS"] ?? 2000);
const backlog = Number(process.env["TENON_LIMIT_BACKLOG"] ?? 2000);
/** Milliseconds; the long form on PostgreSQL takes most of an hour. */
const timeout = 3_600_000;
const atOnce = 500;
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

/** Claims up to so many jobs at a time, and ends them, until there are none; returns their names in order. */
async function workOff(store: Store, limit = Infinity): Promise<readonly string[]> {
  const names: string[] = [];
  while (names.length < limit) {
    const most = Math.min(64, limit - names.length);
    const claims = await Promise.all(Array.from({ length: most }, () => store.claim({ seconds: 600, tools: ["one"] })));
    const found = claims.filter((claim): claim is Claim => claim !== undefined);
    if (found.length === 0) break;
    await Promise.all(found.map(({ lease }) => store.settle(lease, done)));
    names.push(...found.map(({ job }) => job.id.slice(urn("").length)));
  }
  return names;
}

function* pairs(): Generator<NewJob> {
  for (let n = 0; n < keys; n++) {
    yield keyed(`a${n}`, `account ${n}`);
    yield keyed(`b${n}`, `account ${n}`);
  }
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
  test(`${keys} of them, with two jobs each, keep their limit and leave nothing behind`, { timeout }, async () => {
    const store = await open(kind);
    await submitAll(store, pairs());
    const held = await store.heldJobs?.(100);
    expect([held?.tools, held?.keys.length]).toMatchObject([[{ tool: "one", held: keys }], Math.min(keys, 100)]);
    const names = await workOff(store);
    expect(new Set(names).size).toBe(2 * keys);
    expect(names).toHaveLength(2 * keys);
    const places = new Map(names.map((name, index) => [name, index]));
    const wrong = names.filter((name) => (places.get(name.replace("b", "a")) ?? Infinity) > (places.get(name) ?? 0));
    expect(wrong).toEqual([]);
    expect([await store.heldJobs?.(1), await store.counts()]).toEqual([{ tools: [], keys: [] }, []]);
    // A key that was empty begins anew.
    expect(await store.submit(keyed("again", "account 0"), 15)).toHaveProperty("lease");
  });

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
    const first = await workOff(store, others + 3);
    expect(first.filter((name) => !name.startsWith("x"))).toHaveLength(others);
    expect(await store.submit(keyed("last", "x"))).toMatchObject({ waiting: { line: { limit: "a" } } });
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
  await workOff(store);
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
