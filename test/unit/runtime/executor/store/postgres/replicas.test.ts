import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { JobStore, Lease, StoredOutcome } from "../../../../../../runtime/executor/store/job-store.ts";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";
import { event, given, newJob, urn } from "../conformance.ts";
import { checkModel, modelFailure, VirtualClock } from "../store-model.ts";

const ok: StoredOutcome = { state: "succeeded", result: { kind: "json", json: '"a"' } };
const other: StoredOutcome = { state: "succeeded", result: { kind: "json", json: '"b"' } };

let server: PostgresServer;
let schemas = 0;
let clock: VirtualClock;
/** Two stores on one schema, as two replicas of a service have them. */
let a: JobStore;
let b: JobStore;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  clock = new VirtualClock();
  const url = server.url(`replicas${schemas++}`);
  // At once: one of them creates the tables, the other one waits for it.
  [a, b] = await Promise.all([openPostgresStore(url, { now: clock.now }), openPostgresStore(url, { now: clock.now })]);
});
afterEach(async () => {
  await a.close();
  await b.close();
});

async function claimed(store: JobStore, name: string): Promise<Lease> {
  await store.submit(newJob(name));
  return given(await store.claim({ seconds: 15, id: urn(name) })).lease;
}

test("claims of two replicas never get the same job, and together get all", async () => {
  const names = Array.from({ length: 200 }, (_, index) => `j${index}`);
  await Promise.all(names.map((name, index) => a.submit(newJob(name, { tool: index % 2 === 0 ? "one" : "two" }))));
  const got: string[] = [];
  async function worker(store: JobStore): Promise<void> {
    for (let misses = 0; misses < 20;) {
      const claim = await store.claim({ seconds: 15, tools: ["one", "two"] });
      if (claim === undefined) misses++;
      else got.push(claim.job.id);
    }
  }
  await Promise.all([a, b, a, b, a, b].map(worker));
  expect(got.toSorted()).toEqual(names.map(urn).toSorted());
});

test("one id and one key are one job, on whichever replica they come in", async () => {
  const idempotency = { key: "k", digest: "d" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? a : b).submit(newJob(`j${index}`, { idempotency, owner: "anna" }), 15),
    ),
  );
  expect(answers.filter(({ kind }) => kind === "created")).toHaveLength(1);
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["created", "existing"]));
  const same = await Promise.all([a, b, a, b].map((store) => store.submit(newJob("same"))));
  expect(same.map(({ kind }) => kind).toSorted()).toEqual(["created", "existing", "existing", "existing"]);
});

describe("the fence across replicas", () => {
  test("every write of the replica that lost its lease is refused", async () => {
    const lost = await claimed(a, "x");
    clock.advance(15_000);
    await b.reap();
    const held = given(await b.claim({ seconds: 15 })).lease;
    expect(await Promise.all([a.renew(lost, 15), a.progress(lost, [event(1)]), a.settle(lost, other)])).toEqual([
      "stale",
      "stale",
      "stale",
    ]);
    expect(await a.release(lost, 0)).toBe("stale");
    expect(await b.settle(held, ok)).toBe("ok");
    expect(await a.settle(lost, other)).toBe("ended");
    expect((await a.get(urn("x")))?.outcome).toEqual(ok);
  });

  test("of two ends at once one counts, and both replicas show it", async () => {
    for (let round = 0; round < 20; round++) {
      const lease = await claimed(a, `r${round}`);
      const [settled, cancelled] = await Promise.all([a.settle(lease, ok), b.cancel(lease.id, "why")]);
      expect([settled, cancelled].toSorted()).toEqual(["ended", "ok"]);
      const [seen, also] = await Promise.all([a.get(lease.id), b.get(lease.id)]);
      expect(seen?.state).toBe(settled === "ok" ? "succeeded" : "cancelled");
      expect(also).toEqual(seen);
    }
  });

  test("a cancel on one replica reaches the worker of the other one at its renewal", async () => {
    const lease = await claimed(a, "x");
    expect(await b.cancel(lease.id, "no longer needed")).toBe("ok");
    expect(await a.renew(lease, 15)).toEqual({ cancel: "no longer needed" });
  });
});

test("two replicas that reap at once spend one attempt of a lost job", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `j${index}`);
  await Promise.all(names.map((name) => a.submit(newJob(name, { maxAttempts: 2 }), 15)));
  clock.advance(15_000);
  await Promise.all([a.reap(), b.reap(), a.reap(), b.reap()]);
  const states = await Promise.all(names.map((name) => b.get(urn(name))));
  expect(new Set(states.map((record) => `${record?.state} ${record?.attempt}`))).toEqual(new Set(["pending 1"]));
  const leases = await Promise.all(names.map((name) => b.claim({ seconds: 15, id: urn(name) })));
  expect(new Set(leases.map((claim) => claim?.lease.attempt))).toEqual(new Set([2]));
});

test("the events of a job are the same on both replicas", async () => {
  const lease = await claimed(a, "x");
  await a.progress(lease, [event(1), event(2)]);
  expect((await b.get(lease.id))?.events).toEqual([event(1), event(2)]);
});

test("a delayed job may be claimed where it was not released", async () => {
  const lease = await claimed(a, "x");
  await a.release(lease, 10);
  expect(await b.claim({ seconds: 15 })).toBeUndefined();
  clock.advance(10_000);
  expect(given(await b.claim({ seconds: 15 })).lease.attempt).toBe(1);
});

test("a job of a limit that is let in where another one ended, or where it left, is told to all replicas at once", async () => {
  const limit = { key: "one a", jobs: 1, retryAfter: 3 };
  const first = await a.submit(newJob("x", { limit }), 15);
  await b.submit(newJob("y", { limit }), 15);
  const ready = (store: JobStore): Promise<readonly string[] | undefined> =>
    new Promise((resolve) => {
      // A listener that has just begun to hear hears of everything.
      const stop = store.ready((tools) => {
        if (tools === undefined) return;
        stop();
        resolve(tools);
      });
    });
  const heard = [ready(a), ready(b)];
  if (first.kind !== "created" || first.lease === undefined) throw new Error("the job has no lease");
  await a.settle(first.lease, ok);
  expect(await Promise.all(heard)).toEqual([["one"], ["one"]]);
  await b.park(given(await b.claim({ seconds: 15 })).lease, { waits: [], delay: 60_000 });
  clock.advance(60_000);
  // No round of the housekeeping comes in between.
  const again = [ready(a), ready(b)];
  await b.claim({ seconds: 15, tools: ["two"] });
  expect(await Promise.all(again)).toEqual([["one"], ["one"]]);
  expect(given(await a.claim({ seconds: 15 })).lease).toMatchObject({ id: urn("y"), attempt: 1 });
});

test("a clock that jumps, back or forth: leases last longer or end, one holder at a time, and nothing is lost", async () => {
  const lease = await claimed(a, "x");
  clock.advance(-3_600_000);
  await b.reap();
  expect([await a.renew(lease, 15), await a.progress(lease, [event(1)])]).toEqual(["ok", "ok"]);
  expect(await b.claim({ seconds: 15 })).toBeUndefined();
  clock.advance(86_400_000);
  await b.reap();
  const next = given(await b.claim({ seconds: 15 })).lease;
  expect(next.attempt).toBe(2);
  expect([await a.settle(lease, other), await b.settle(next, ok)]).toEqual(["stale", "ok"]);
});

test("statements without the fence do not pass: the conformance model tells", async () => {
  const { query } = pg.Pool.prototype;
  const spy = vi.spyOn(pg.Pool.prototype, "query").mockImplementation(function unfenced(this: pg.Pool, config: object) {
    const { text, ...rest } = config as { readonly text: string };
    const open = text.replaceAll("AND j.attempt = given.attempt AND j.token = given.token ", "");
    return (query as (one: object) => unknown).call(this, {
      ...rest,
      ...(open !== text && { name: `open_${String((rest as { name?: string }).name).slice(0, 40)}` }),
      text: open,
    });
  } as never);
  try {
    const details = await checkModel({
      open: async (now) => {
        const store = await openPostgresStore(server.url(`open${schemas++}`), { now });
        return { store, restart: undefined, close: async () => store.close() };
      },
      runs: 10,
      shrink: false,
    });
    expect(modelFailure(details)).toBeDefined();
  } finally {
    spy.mockRestore();
  }
});
