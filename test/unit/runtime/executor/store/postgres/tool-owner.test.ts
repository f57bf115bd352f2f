import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { StoreError } from "../../../../../../runtime/executor/store/store-error.ts";
import {
  postgresPassword,
  postgresUser,
  startPostgres,
  type PostgresServer,
} from "../../../../../support/postgres-server.ts";
import { newJob, urn } from "../conformance.ts";
import { VirtualClock } from "../store-model.ts";

let server: PostgresServer;
let schemas = 0;
let schema = "";
let clock: VirtualClock;
beforeAll(async () => {
  server = await startPostgres();
});
beforeEach(() => {
  schema = `owned${schemas++}`;
  clock = new VirtualClock();
});
afterAll(() => server.stop());

type Store = Awaited<ReturnType<typeof openPostgresStore>>;

function open(service: string, ...tools: readonly string[]): Promise<Store> {
  return openPostgresStore(server.url(schema), { now: clock.now, user: { service, tools } });
}

test("a second service with a tool of the same name is refused in one line, and the jobs of the first stay", async () => {
  const primes = await open("primes", "sum", "one");
  await primes.submit(newJob("a"));
  const error: unknown = await open("weather", "rain", "one").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreError);
  expect((error as Error).message).toBe(
    `TENON_STORE: the service "primes" keeps its jobs in the schema ${schema} of ` +
      `postgres://${postgresUser}@127.0.0.1:${server.port}/postgres, and has a tool "one" as "weather" does. Give each ` +
      "service a schema of its own with ?schema=NAME. If the service was renamed, end its replicas with the old name and hand " +
      `its jobs over: UPDATE "${schema}".tools SET service = 'weather' WHERE service = 'primes';`,
  );
  expect((error as Error).message).not.toContain(postgresPassword);
  expect(await primes.get(urn("a"))).toMatchObject({ state: "pending" });
  await primes.close();
});

test("replicas and builds of one service, and services without a common tool, share a schema", async () => {
  const old = await open("primes", "one");
  const next = await open("primes", "one", "two");
  const other = await open("weather", "rain");
  const again = await open("primes", "one");
  await next.submit(newJob("a"));
  expect((await old.claim({ seconds: 15, tools: ["one"] }))?.job.id).toBe(urn("a"));
  for (const store of [old, next, other, again]) await store.close();
});

const hour = 3_600_000;

test("a service that is silent keeps its tools while a job waits or runs, however long, and two days without one", async () => {
  const paused = await open("primes", "one", "two");
  await paused.submit(newJob("a"));
  clock.advance(66_000);
  await expect(open("weather", "one")).rejects.toThrow(StoreError);
  clock.advance(100 * hour);
  await expect(open("weather", "one")).rejects.toThrow(StoreError);
  // Also the tools without a job.
  await expect(open("weather", "two")).rejects.toThrow(StoreError);
  const claim = await paused.claim({ seconds: 1000 * 3600, tools: ["one"] });
  clock.advance(100 * hour);
  await expect(open("weather", "one")).rejects.toThrow(StoreError);
  if (claim === undefined) throw new Error("The job is not there.");
  await paused.settle(claim.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  await paused.close();
  // Scaled to zero: nothing runs, and nobody says that it is there.
  const again = await open("primes", "one", "two");
  await again.close();
  clock.advance(24 * hour);
  await expect(open("weather", "one")).rejects.toThrow(StoreError);
  await (await open("primes", "one", "two")).close();
  clock.advance(49 * hour);
  await (await open("weather", "one")).close();
});

test("a service keeps its tools while a job waits for a limit", async () => {
  const paused = await open("primes", "one");
  const limit = {
    key: "one",
    jobs: 1,
    rate: { pace: 1000 * hour, burst: 1, text: "1" },
    beyond: "wait",
    retryAfter: 3,
  } as const;
  const [first, second] = ["a", "b"].map((name) => ({ ...newJob(name), limit }));
  if (first === undefined || second === undefined) throw new Error("There are no jobs.");
  await paused.submit(first);
  await paused.submit(second);
  const claim = await paused.claim({ seconds: 15, tools: ["one"] });
  if (claim === undefined) throw new Error("The job is not there.");
  await paused.settle(claim.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  expect(await paused.counts()).toMatchObject([{ tool: "one", waiting: 1, running: 0 }]);
  await paused.close();
  clock.advance(100 * hour);
  await expect(open("weather", "one")).rejects.toThrow(StoreError);
});

test("a service whose tools were handed over takes no jobs any more, says so once, and goes on when it has them again", async () => {
  const lines: string[] = [];
  loggingInit({ write: (line) => lines.push(line) });
  const before = await open("primes", "one");
  await before.submit(newJob("a"));
  const client = new pg.Client(server.url());
  await client.connect();
  const handOver = (from: string, to: string): Promise<unknown> =>
    client.query(`UPDATE "${schema}".tools SET service = $2 WHERE service = $1`, [from, to]);
  await handOver("primes", "prime-numbers");
  const after = await open("prime-numbers", "one");
  await before.reap();
  await before.reap();
  expect(await before.claim({ seconds: 15, tools: ["one"] })).toBeUndefined();
  expect(await before.claim({ seconds: 15, id: urn("a") })).toBeUndefined();
  await expect(before.submit(newJob("b"), 15)).rejects.toMatchObject({ kind: "overloaded" });
  expect(await before.trouble()).toBe("The job store cannot be written.");
  expect(await before.get(urn("a"))).toMatchObject({ state: "pending" });
  // The log writes once its target is loaded.
  const told = (): readonly string[] => lines.filter((line) => line.includes("takes no jobs any more"));
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toContain(`UPDATE \\"${schema}\\".tools SET service = 'primes' WHERE service = 'prime-numbers';`);
  expect((await after.claim({ seconds: 15, tools: ["one"] }))?.job.id).toBe(urn("a"));
  await handOver("prime-numbers", "primes");
  await before.reap();
  expect(await before.submit(newJob("b"))).toEqual({ kind: "created" });
  await client.end();
  await before.close();
  await after.close();
});

test("a process that was silent looks who has the tools before it takes a job", async () => {
  const silent = await open("primes", "one");
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query(`UPDATE "${schema}".tools SET service = 'weather'`);
  const other = await open("weather", "one");
  await other.submit(newJob("of others"));
  const passed = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 31_000);
  expect(await silent.claim({ seconds: 15, tools: ["one"] })).toBeUndefined();
  passed.mockRestore();
  await client.end();
  await silent.close();
  await other.close();
});
