import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/postgres.ts";
import { StoreError } from "../../../../../../runtime/executor/store/store-error.ts";
import { postgresPassword, postgresUser, startPostgres } from "../../../../../support/postgres-server.ts";
import type { PostgresServer } from "../../../../../support/postgres-server.ts";
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
      "service a schema of its own with ?schema=NAME. If the service was renamed, start it a minute after the last replica " +
      "with the old name has ended.",
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

test("a service that was renamed takes its tools and jobs over a minute after the old one has ended, not while it runs", async () => {
  const before = await open("primes", "one");
  await before.submit(newJob("a"));
  for (let seconds = 0; seconds < 120; seconds += 10) {
    clock.advance(10_000);
    await before.reap();
  }
  await expect(open("prime-numbers", "one")).rejects.toThrow(StoreError);
  await before.close();
  clock.advance(59_000);
  await expect(open("prime-numbers", "one")).rejects.toThrow(StoreError);
  clock.advance(22_000);
  const after = await open("prime-numbers", "one");
  expect((await after.claim({ seconds: 15, tools: ["one"] }))?.job.id).toBe(urn("a"));
  await after.close();
});
