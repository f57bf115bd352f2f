import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { openPostgresStore } from "../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { startPostgres, type PostgresServer } from "../../../../support/postgres-server.ts";
import { lateStore } from "./late-store.ts";
import { checkLimits } from "./limit-model.ts";
import { randomFrom } from "./random-from.ts";
import { sqlitePlace } from "./sqlite-place.ts";
import { VirtualClock } from "./store-model.ts";

/** `TENON_LIMIT_JOBS=20000` makes the long form. */
const jobs = Number(process.env["TENON_LIMIT_JOBS"] ?? 300);
const seed = Number(process.env["TENON_LIMIT_SEED"] ?? 20_261_126);

describe("a limit is kept by 8 workers, with ends of all kinds", { retry: 0 }, () => {
  const closing: (() => unknown)[] = [];
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  afterAll(() => server.stop());

  test("on SQLite", { timeout: 600_000 }, async () => {
    const place = sqlitePlace();
    closing.push(() => place.remove());
    const clock = new VirtualClock();
    const store = place.open({ now: clock.now, maxFinished: 1_000_000 });
    closing.push(() => store.close());
    const stores = Array.from({ length: 8 }, () => store);
    expect(await checkLimits({ stores, clock, jobs, seed }), `seed ${seed}`).toEqual([]);
  });

  test("when a worker knows of the answers long after others have acted on them", { timeout: 600_000 }, async () => {
    const place = sqlitePlace();
    closing.push(() => place.remove());
    const clock = new VirtualClock();
    const store = place.open({ now: clock.now, maxFinished: 1_000_000 });
    closing.push(() => store.close());
    const next = randomFrom(seed);
    const stores = Array.from({ length: 8 }, () => lateStore(store, next, "renew"));
    expect(await checkLimits({ stores, clock, jobs: Math.min(jobs, 300), seed }), `seed ${seed}`).toEqual([]);
  });

  test("on PostgreSQL, each with a store of its own", { timeout: 600_000 }, async () => {
    const clock = new VirtualClock();
    const options = { now: clock.now, maxFinished: 1_000_000 };
    const stores = [];
    for (let replica = 0; replica < 8; replica++) {
      const store = await openPostgresStore(server.url("limits"), options);
      closing.push(() => store.close());
      stores.push(store);
    }
    expect(await checkLimits({ stores, clock, jobs, seed }), `seed ${seed}`).toEqual([]);
    const client = new pg.Client(server.url());
    await client.connect();
    const { rows } = await client.query("SELECT limit_key FROM limits.limit_keys");
    const { rows: held } = await client.query("SELECT id FROM limits.jobs WHERE phase = -1");
    await client.end();
    expect([rows, held]).toEqual([[], []]);
  });
});
