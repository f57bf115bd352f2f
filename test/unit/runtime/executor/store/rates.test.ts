import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { openPostgresStore } from "../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { startPostgres, type PostgresServer } from "../../../../support/postgres-server.ts";
import { lateStore } from "./late-store.ts";
import { randomFrom } from "./random-from.ts";
import { checkRates } from "./rate-model.ts";
import { sqlitePlace } from "./sqlite-place.ts";
import { VirtualClock } from "./store-model.ts";

/** `TENON_LIMIT_JOBS=20000` makes the long form. */
const jobs = Number(process.env["TENON_LIMIT_JOBS"] ?? 300);
const seed = Number(process.env["TENON_LIMIT_SEED"] ?? 20_261_126);

describe("a rate is kept by 8 workers, with ends of all kinds", () => {
  const closing: (() => unknown)[] = [];
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  afterAll(() => server.stop());

  test("in memory", { timeout: 600_000 }, async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore({ now: clock.now, maxFinished: 1_000_000 });
    closing.push(() => store.close());
    const stores = Array.from({ length: 8 }, () => store);
    expect(await checkRates({ stores, clock, jobs, seed })).toEqual([]);
  });

  test("on SQLite, and no key has a row once its bucket is full", { timeout: 600_000 }, async () => {
    const place = sqlitePlace();
    closing.push(() => place.remove());
    const clock = new VirtualClock();
    const store = place.open({ now: clock.now, maxFinished: 1_000_000 });
    closing.push(() => store.close());
    const stores = Array.from({ length: 8 }, () => store);
    expect(await checkRates({ stores, clock, jobs, seed })).toEqual([]);
    clock.advance(60_000);
    expect(await store.claim({ seconds: 1 })).toBeUndefined();
    await store.close();
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(place.file);
    expect(database.prepare("SELECT limit_key FROM limit_keys").all()).toEqual([]);
    expect(database.prepare("SELECT id FROM jobs WHERE phase < 3").all()).toEqual([]);
    database.close();
  });

  test("when calls and answers are late, and nothing waits in the end", { timeout: 600_000 }, async () => {
    const clock = new VirtualClock();
    const store = createMemoryStore({ now: clock.now, maxFinished: 1_000_000 });
    closing.push(() => store.close());
    const next = randomFrom(seed);
    const stores = Array.from({ length: 8 }, () => lateStore(store, next, "submit"));
    expect(await checkRates({ stores, clock, jobs: Math.min(jobs, 100), seed })).toEqual([]);
    expect(await store.counts()).toEqual([]);
  });

  test("on PostgreSQL, each with a store of its own; no key has a row in the end", { timeout: 600_000 }, async () => {
    const clock = new VirtualClock();
    const options = { now: clock.now, maxFinished: 1_000_000 };
    const stores = [];
    for (let replica = 0; replica < 8; replica++) {
      const store = await openPostgresStore(server.url("rates"), options);
      closing.push(() => store.close());
      stores.push(store);
    }
    expect(await checkRates({ stores, clock, jobs, seed })).toEqual([]);
    clock.advance(60_000);
    await stores[0]?.reap();
    const client = new pg.Client(server.url());
    await client.connect();
    const { rows } = await client.query("SELECT limit_key FROM rates.limit_keys");
    const { rows: left } = await client.query("SELECT id FROM rates.jobs WHERE phase < 3");
    await client.end();
    expect([rows, left]).toEqual([[], []]);
  });

  test("without rounds and clocks of a test: the timer of the store starts jobs at their time", async () => {
    const place = sqlitePlace();
    closing.push(() => place.remove());
    const stores = [createMemoryStore(), place.open(), await openPostgresStore(server.url("timer"), {})];
    for (const store of stores) closing.push(() => store.close());
    const rate = { pace: 200, burst: 1, text: "5/s" };
    const run = async (store: (typeof stores)[number]): Promise<readonly number[]> => {
      const begun = performance.now();
      const times: number[] = [];
      const claim = async (): Promise<void> => {
        const given = await store.claim({ seconds: 60 });
        if (given !== undefined) times.push(performance.now());
      };
      const stop = store.ready(() => void claim());
      for (let n = 0; n < 4; n++) {
        const limit = { key: "one", rate, retryAfter: 1 };
        await store.submit({ id: `urn:platform:job:${n}`, tool: "one", input: 1, ttl: 60, maxAttempts: 1, limit });
      }
      await expect.poll(() => times.length, { interval: 10 }).toBe(4);
      stop();
      return times.map((time) => time - begun);
    };
    for (const times of await Promise.all(stores.map(run)))
      for (const [n, time] of times.entries()) expect(time).toBeGreaterThan(n * 200 - 10);
  });
});
