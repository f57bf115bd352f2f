import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { migrationSql } from "../../../../../../runtime/executor/store/postgres/schema.ts";
import { postgresPassword, startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";
import { newJob } from "../conformance.ts";

type Store = Awaited<ReturnType<typeof openPostgresStore>>;

let server: PostgresServer;
let client: pg.Client;
let lines: string[] = [];
beforeAll(async () => {
  server = await startPostgres();
  client = new pg.Client(server.url());
  await client.connect();
});
beforeEach(() => {
  lines = [];
  loggingInit({ write: (line) => lines.push(line) });
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

const trouble = "The job store cannot be written.";

/** Asks as a probe does, until the answer is the expected one; at most the five seconds that are promised. */
function becomes(store: Store, expected: string | undefined): Promise<void> {
  return expect.poll(() => store.trouble(), { timeout: 5000, interval: 200 }).toBe(expected);
}

test("a store that may not write any more says so within five seconds, and so when it may again", async () => {
  await client.query(`CREATE ROLE writer LOGIN PASSWORD '${postgresPassword}'; BEGIN; ${migrationSql("rights", 0)} COMMIT;
    GRANT USAGE ON SCHEMA rights TO writer;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA rights TO writer`);
  const store = await openPostgresStore(server.url("rights").replace("//tenon:", "//writer:"));
  onTestFinished(() => store.close());
  await becomes(store, undefined);
  for (const right of ["INSERT", "UPDATE", "DELETE"]) {
    await client.query(`REVOKE ${right} ON rights.jobs FROM writer`);
    await becomes(store, trouble);
    await client.query(`GRANT ${right} ON rights.jobs TO writer`);
    await becomes(store, undefined);
  }
  for (const table of ["steps", "limit_keys"]) {
    await client.query(`REVOKE UPDATE ON rights.${table} FROM writer`);
    await becomes(store, trouble);
    await client.query(`GRANT UPDATE ON rights.${table} TO writer`);
    await becomes(store, undefined);
  }
  await expect.poll(() => lines.filter((line) => line.includes("is not ready"))).toHaveLength(5);
  // The row that tells is not kept.
  expect((await client.query("SELECT 1 FROM rights.events")).rows).toEqual([]);
});

test("a full disk of the database", async ({ skip }) => {
  const disk = mkdtempSync(join(tmpdir(), "tenon-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "none", disk]);
  onTestFinished(() => {
    spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  skip(mounted.status !== 0, "only root may mount a small disk");
  const own = join(disk, "space");
  mkdirSync(own);
  chownSync(own, 65_534, 65_534);
  await client.query(`CREATE TABLESPACE small LOCATION '${own}'`);
  await client.query(`ALTER ROLE tenon SET default_tablespace = 'small'`);
  const store = await openPostgresStore(server.url("full"));
  onTestFinished(() => store.close());
  await becomes(store, undefined);
  await client.query("CREATE TABLE filler (body bytea) TABLESPACE small");
  const fill = async (): Promise<void> => {
    for (;;)
      await client.query(
        "INSERT INTO filler SELECT convert_to(string_agg(md5(random()::text), ''), 'UTF8') FROM generate_series(1, 2000)",
      );
  };
  await expect(fill()).rejects.toMatchObject({ code: "53100" });
  await becomes(store, trouble);
  await expect.poll(() => lines.join("")).toContain("has no room left on its disk");
  await client.query("DROP TABLE filler");
  await becomes(store, undefined);
  expect(await store.submit(newJob("a"))).toEqual({ kind: "created" });
});

test("a server that is gone, and one that is back", async () => {
  const other = await startPostgres();
  onTestFinished(() => other.stop());
  const store = await openPostgresStore(other.url("gone"));
  onTestFinished(() => store.close());
  await becomes(store, undefined);
  await other.kill();
  await becomes(store, trouble);
  await other.start();
  await becomes(store, undefined);
  expect(await store.submit(newJob("a"))).toEqual({ kind: "created" });
});
