import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openStore } from "../../../../../../runtime/executor/store/open-store.ts";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { readAddress } from "../../../../../../runtime/executor/store/postgres/connection/address.ts";
import type { Database, Statement } from "../../../../../../runtime/executor/store/postgres/connection/database.ts";
import { migrate, migrationSql } from "../../../../../../runtime/executor/store/postgres/schema.ts";
import { StoreError } from "../../../../../../runtime/executor/store/store-error.ts";
import {
  postgresPassword,
  postgresUser,
  startPostgres,
  type PostgresServer,
} from "../../../../../support/postgres-server.ts";
import { newJob, urn } from "../conformance.ts";

let server: PostgresServer;
let client: pg.Client;
let shown: string;
beforeAll(async () => {
  // Five seconds, the default, may not be enough to connect on a busy machine.
  vi.stubEnv("PGCONNECT_TIMEOUT", "60");
  server = await startPostgres();
  client = new pg.Client(server.url());
  await client.connect();
  shown = `postgres://${postgresUser}@127.0.0.1:${server.port}/postgres`;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await client.end();
  await server.stop();
});

/** The message of a store that does not open: one line, without the password. */
async function refused(url: string): Promise<string> {
  const error: unknown = await openStore(url).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreError)) throw new Error("The store opened, or failed otherwise.", { cause: error });
  expect(error.message).not.toContain(postgresPassword);
  expect(error.message).not.toContain("\n");
  return error.message;
}

test("postgres: and postgresql: open the same store; ?schema names its schema", async () => {
  const url = server.url("of jobs");
  const first = await openStore(url);
  expect(await first.submit(newJob("a"))).toEqual({ kind: "created" });
  await first.close();
  const second = await openStore(url.replace("postgres:", " PostgreSQL:"));
  expect(await second.get(urn("a"))).toMatchObject({ state: "pending" });
  await second.close();
  const other = await openStore(server.url("others"));
  expect(await other.get(urn("a"))).toBeUndefined();
  await other.close();
});

describe("an address that cannot be used", () => {
  test("a wrong password", async () => {
    const url = server.url().replace(postgresPassword, `${postgresPassword}x`);
    expect(await refused(url)).toBe(
      `TENON_STORE: ${shown} refuses the user or its password. Check both, and the server's pg_hba.conf.`,
    );
  });

  test("no password, which the server asks for", async () => {
    expect(await refused(server.url().replace(`:${postgresPassword}@`, "@"))).toBe(
      `TENON_STORE: ${shown} asks for a password, and has got none. Write postgres://USER:PASSWORD@HOST/DATABASE, or set PGPASSWORD.`,
    );
  });

  test("an unknown database", async () => {
    expect(await refused(server.url().replace("/postgres", "/nowhere"))).toBe(
      `TENON_STORE: ${shown.replace("/postgres", "/nowhere")} is not a database of this server. Create it, or name another one.`,
    );
  });

  test("nothing listens there", async () => {
    expect(await refused(`postgres://anna:${postgresPassword}@127.0.0.1:9/jobs`)).toBe(
      "TENON_STORE: postgres://anna@127.0.0.1:9/jobs cannot be reached: nothing listens there. Start the server, or check host and port.",
    );
  });

  test("something listens there that is not a PostgreSQL server, or offers no TLS", async () => {
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    expect(await refused(`postgres://anna@127.0.0.1:${port}/jobs`)).toMatch(
      /^TENON_STORE: postgres:\/\/anna@127\.0\.0\.1:\d+\/jobs .*Check /,
    );
    other.close();
    expect(await refused(`${server.url()}?sslmode=require`)).toBe(
      `TENON_STORE: ${shown} offers no TLS, which this connection needs. Turn it on at the server (ssl = on). If it is on, something on the way to the server hides it.`,
    );
  });

  test("an unknown host", async () => {
    expect(await refused(`postgres://anna:${postgresPassword}@nowhere.invalid/jobs`)).toMatch(
      "TENON_STORE: postgres://anna@nowhere.invalid:5432/jobs cannot be reached: its host name is not known here.",
    );
  });

  test("text that is not an address, and a name that is not one of a schema", async () => {
    expect(await refused(`postgres://u:${postgresPassword}@host:port/x`)).toContain("is not a valid address");
    expect(await refused(`${server.url()}?schema=`)).toContain('names the schema "", which is not a valid name.');
    expect(await refused(server.url("pg_jobs"))).toContain("does not begin with pg_");
  });

  test("a role that may not create the schema says how it gets there; afterwards it works", async () => {
    await client.query(`CREATE ROLE plain LOGIN PASSWORD '${postgresPassword}'`);
    const url = server.url("plain").replace(`//${postgresUser}:`, "//plain:");
    expect(await refused(url)).toContain('run the output of "tenon store migrate --print".');
    await client.query(
      `BEGIN; ${migrationSql("plain", 0)} GRANT USAGE ON SCHEMA plain TO plain;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA plain TO plain; COMMIT`,
    );
    const store = await openStore(url);
    expect(await store.submit(newJob("a"))).toEqual({ kind: "created" });
    await store.close();
  });

  test("an old server", async () => {
    // A real one is not in the package that the tests use.
    const old = {
      address: readAddress(server.url()),
      once: () => Promise.resolve([{ version: 140_017 }]),
    } as unknown as Database;
    await expect(migrate(old)).rejects.toThrow(
      `TENON_STORE: ${shown} is PostgreSQL 14. Jobs need version 15 or later: update the server.`,
    );
  });

  test("a migration of many jobs, which takes minutes", async () => {
    const asked: (Statement & { readonly isMigration: boolean })[] = [];
    const slow = {
      address: readAddress(server.url()),
      once: async (statement: Statement) => {
        const isMigration = statement.text.startsWith("BEGIN");
        asked.push({ ...statement, isMigration });
        return [{ version: statement.text.includes("server_version_num") ? 150_000 : isMigration ? 0 : 1 }];
      },
    } as unknown as Database;
    await migrate(slow);
    expect(asked.map(({ isMigration, patience = 10_000 }) => [isMigration, patience > 60_000])).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [false, false],
    ]);
  });

  test("a server without a free connection", async () => {
    await client.query(`CREATE ROLE lone LOGIN PASSWORD '${postgresPassword}' CONNECTION LIMIT 0`);
    expect(await refused(server.url("lone").replace(`//${postgresUser}:`, "//lone:"))).toBe(
      `TENON_STORE: ${shown.replace(postgresUser, "lone")} has no free connection: a replica needs four. Raise max_connections, or put a pooler in front.`,
    );
  });

  test("tables of version 1, which kept no baggage, take it from now on", async () => {
    const before = await openStore(server.url("earlier"));
    await before.submit(newJob("old"));
    await before.close();
    await client.query(
      `ALTER TABLE earlier.jobs DROP COLUMN baggage, DROP COLUMN talk, DROP COLUMN replies, DROP COLUMN worker,
        DROP COLUMN history, DROP COLUMN waits, DROP COLUMN mail, DROP COLUMN mailed, DROP COLUMN mail_bytes, DROP COLUMN kept CASCADE;
       ALTER TABLE earlier.jobs DROP COLUMN limit_key, DROP COLUMN line, DROP COLUMN cap, DROP COLUMN pace, DROP COLUMN burst, DROP COLUMN wakes,
         DROP COLUMN head_start, DROP COLUMN early;
       CREATE INDEX jobs_claimable ON earlier.jobs (tool, seq) WHERE phase = 0;
       DROP FUNCTION earlier.drop_kept, earlier.let_in; DROP TABLE earlier.limit_keys, earlier.tools, earlier.steps, earlier.messages, earlier.schedules;
       UPDATE earlier.meta SET version = 1`,
    );
    const store = await openStore(server.url("earlier"));
    await store.submit(newJob("new", { baggage: "tenant=blue" }));
    const claims = [await store.claim({ seconds: 15 }), await store.claim({ seconds: 15 })];
    expect(claims.map((claim) => claim?.job)).toEqual([newJob("old"), newJob("new", { baggage: "tenant=blue" })]);
    await store.close();
  });

  test("tables of a later version, and of another program", async () => {
    await (await openStore(server.url("later"))).close();
    await client.query("UPDATE later.meta SET version = 99");
    expect(await refused(server.url("later"))).toBe(
      `TENON_STORE: the schema later of ${shown} was written by a later version of tenon: its format is 99, this one knows up to 10. Update tenon, or name another schema with ?schema=NAME.`,
    );
    await client.query("CREATE SCHEMA taken; CREATE TABLE taken.jobs (id integer)");
    expect(await refused(server.url("taken"))).toContain("has a table jobs of another program, and was left alone.");
  });
});

test("a schema whose meta is empty: without tables it gets them, with tables it is named", async () => {
  await client.query("CREATE SCHEMA bare; CREATE TABLE bare.meta (version integer NOT NULL)");
  const store = await openStore(server.url("bare"));
  expect(await store.submit(newJob("a"))).toEqual({ kind: "created" });
  await store.close();
  await client.query("DELETE FROM bare.meta");
  expect(await refused(server.url("bare"))).toBe(
    `TENON_STORE: ${shown} has a schema bare that is not as tenon made it (its table meta has no row, so that nobody knows their version). Restore it, or name another schema.`,
  );
});

test("replicas of this version go on while a later one adds a table, a column or an index; a new start is refused", async () => {
  const running = await openPostgresStore(server.url("rolling"), { user: { service: "primes", tools: ["one"] } });
  await running.submit(newJob("before"));
  await client.query(`BEGIN; ALTER TABLE rolling.jobs ADD COLUMN later text, ADD COLUMN counted integer NOT NULL DEFAULT 0;
    ALTER TABLE rolling.events ADD COLUMN later text; ALTER TABLE rolling.tools ADD COLUMN later text;
    CREATE TABLE rolling.later (id text PRIMARY KEY); CREATE INDEX later_jobs ON rolling.jobs (tool, later);
    UPDATE rolling.meta SET version = version + 1; COMMIT`);
  await running.submit(newJob("after"));
  for (const name of ["before", "after"]) {
    const claim = await running.claim({ seconds: 15, tools: ["one"] });
    if (claim === undefined) throw new Error("There is no job.");
    expect(claim.job.id).toBe(urn(name));
    expect(await running.progress(claim.lease, [{ sequence: 1, body: "{}" } as never])).toBe("ok");
    expect(await running.renew(claim.lease, 15)).toBe("ok");
    expect(await running.settle(claim.lease, { state: "succeeded", result: { kind: "json", json: "1" } })).toBe("ok");
    expect(await running.get(urn(name))).toMatchObject({ state: "succeeded" });
  }
  await running.reap();
  expect(await running.trouble()).toBeUndefined();
  expect(await refused(server.url("rolling"))).toContain("was written by a later version of tenon");
  await running.close();
});

test("tables that somebody changed fail a call with the reason in the log's cause, and lose nothing", async () => {
  const store = await openPostgresStore(server.url("changed"));
  await store.submit(newJob("a"));
  await client.query("ALTER TABLE changed.jobs RENAME COLUMN owner TO holder");
  const error: unknown = await Promise.resolve(store.submit(newJob("b"))).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    kind: "system",
    cause: { message: expect.stringContaining("is not as tenon made it") },
  });
  await client.query("ALTER TABLE changed.jobs RENAME COLUMN holder TO owner");
  expect(await store.get(urn("a"))).toMatchObject({ state: "pending" });
  await store.close();
});

test("tables that somebody changed before the start: a column, an index or a table that is gone is named", async () => {
  await (await openStore(server.url("spoilt"))).close();
  const notOurs = `TENON_STORE: ${shown} has a schema spoilt that is not as tenon made it`;
  await client.query("DROP INDEX spoilt.jobs_idempotency");
  expect(await refused(server.url("spoilt"))).toBe(
    `${notOurs} (index jobs_idempotency is missing). Restore it, or name another schema.`,
  );
  await client.query("ALTER TABLE spoilt.jobs RENAME COLUMN owner TO holder");
  expect(await refused(server.url("spoilt"))).toContain(`${notOurs} (column "owner" does not exist)`);
  await client.query("DROP TABLE spoilt.events");
  await client.query("ALTER TABLE spoilt.jobs RENAME COLUMN holder TO owner");
  expect(await refused(server.url("spoilt"))).toContain(`${notOurs} (relation "spoilt.events" does not exist)`);
});

test("connections that the server ends are replaced; the calls in between are carried out", async () => {
  const store = await openPostgresStore(server.url("cut"));
  await store.submit(newJob("a"));
  for (let round = 0; round < 3; round++) {
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenon'");
    expect(await store.submit(newJob(`b${round}`), 15)).toMatchObject({ kind: "created", lease: { attempt: 1 } });
    expect(await store.get(urn("a"))).toMatchObject({ state: "pending" });
  }
  await store.close();
});

test("a process that has ended its work ends, although a store that needs no notifications is open in it", async () => {
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  const before = sockets();
  const store = await openPostgresStore(`${server.url("left open")}&listen=off`);
  await store.submit(newJob("a"));
  await store.get(urn("a"));
  // Active sockets keep a process alive.
  expect(sockets()).toBeLessThanOrEqual(before);
  await store.close();
});

test("leases count by the database's own clock", async () => {
  const store = await openPostgresStore(server.url("clock"));
  await store.submit(newJob("over"), 0);
  await store.submit(newJob("runs"), 3600);
  await store.reap();
  expect([(await store.get(urn("over")))?.state, (await store.get(urn("runs")))?.state]).toEqual([
    "pending",
    "executing",
  ]);
  await store.close();
});
