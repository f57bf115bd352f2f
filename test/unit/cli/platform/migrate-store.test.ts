import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../../../cli/commands/store.ts";
import { migrateStore, printMigration } from "../../../../cli/platform/migrate-store.ts";
import { openStore } from "../../../../runtime/executor/store/open-store.ts";
import { newJob } from "../../runtime/executor/store/conformance.ts";
import { startLocalPlatform } from "../../../../cli/local-platform/start-local-platform.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { postgresPassword, startPostgres, type PostgresServer } from "../../../support/postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

test("the tables are made once; a second time changes nothing", async () => {
  const url = server.url("made");
  const shown = url.replace(`:${postgresPassword}`, "").replace("?schema=made", "");
  for (let time = 0; time < 2; time++)
    expect(await migrateStore(url)).toBe(`The schema made of ${shown} is up to date.`);
});

test("the printed SQL makes the same tables, as a service then finds them", async () => {
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query(await printMigration(server.url('it\'s "printed"')));
  await client.end();
  const store = await openStore(server.url('it\'s "printed"'));
  expect(await store.submit(newJob("a"), 15)).toMatchObject({ kind: "created" });
  await store.close();
});

test("the printed SQL of a platform makes its tables, as a role finds them that may not make any", async () => {
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query(await printMigration(server.url(), true));
  await client.query(`CREATE ROLE plain LOGIN PASSWORD '${postgresPassword}'; GRANT USAGE ON SCHEMA tenon_platform TO plain;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tenon_platform TO plain`);
  await client.end();
  const store = server.url().replace("//tenon:", "//plain:");
  const platform = await startLocalPlatform({ folder: temporaryFolder(), store });
  expect(await platform.register({ definition: { name: "One" } })).toMatchObject({ key: "one" });
  await platform.stop();
  expect(await migrateStore(store, true)).toContain("The schema tenon_platform of postgres://plain@");
});

test("a mistake is one line that says what to do", async () => {
  await expect(run(["drop"])).rejects.toThrow(
    "Say what to do with the store. Usage: tenon store migrate [URL] [options]",
  );
  await expect(run(["migrate", "sqlite:jobs.db"])).rejects.toThrow("Give the address of a PostgreSQL database");
  await expect(run(["migrate", "postgres://u:geheim@127.0.0.1:9/jobs"])).rejects.toThrow(
    "TENON_STORE: postgres://u@127.0.0.1:9/jobs cannot be reached: nothing listens there.",
  );
});
