import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { noPooler, startPooler, type Pooler } from "../../../../../support/pgbouncer.ts";
import { startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";
import { describeStore, given, newJob, urn } from "../conformance.ts";

const eventually = { timeout: 120_000 };

describe.skipIf(noPooler !== undefined)(`behind PgBouncer${noPooler === undefined ? "" : ` [${noPooler}]`}`, () => {
  let server: PostgresServer;
  let pooler: Pooler;
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPooler(server);
  });
  afterAll(async () => {
    await pooler.stop();
    await server.stop();
  });

  describeStore("postgres in transaction mode", {
    place: () => {
      const url = pooler.url(`s${schemas++}`);
      return { open: (options) => openPostgresStore(url, { ...options, listenUrl: server.url() }) };
    },
    durable: true,
    modelRuns: 2,
  });

  test.each([
    ["TENON_STORE_LISTEN_URL: told over the server's own address", (): object => ({ listenUrl: server.url() }), ""],
    ["?listen=off: looked for", (): object => ({}), "&listen=off"],
  ])("%s", async (_, options, more) => {
    const url = pooler.url(`news${schemas++}`) + more;
    const [one, other] = [await openPostgresStore(url, options()), await openPostgresStore(url, options())];
    const heard = new Set<string>();
    one.watch(urn("a"), (change) => heard.add(change));
    await one.submit(newJob("a"));
    const { lease } = given(await other.claim({ seconds: 15 }));
    await other.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } });
    await expect.poll(() => [...heard], eventually).toContain(more === "" ? "ended" : "unknown");
    expect((await one.get(urn("a")))?.state).toBe("succeeded");
    await Promise.all([one.close(), other.close()]);
  });
});
