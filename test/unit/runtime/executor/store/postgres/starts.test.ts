import { dirname } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flushLogs, loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import { openStore } from "../../../../../../runtime/executor/store/open-store.ts";
import { startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";
import { newJob, urn } from "../conformance.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const overSocket = (url: string): string => url.replace("127.0.0.1", encodeURIComponent(dirname(server.data)));

test.each([
  ["port", (url: string) => url],
  ["socket", overSocket],
])("a start while the server is down waits for its %s, says so in one line, and finds its jobs", async (name, over) => {
  const lines: string[] = [];
  const url = over(server.url(`starts_${name}`));
  const before = await openStore(url);
  await before.submit(newJob("a"));
  await before.close();
  await server.halt();
  // The first line is the sign that the start waits: only then does the server come back.
  const told = new Promise<void>((resolve) => {
    loggingInit({
      write: (line) => {
        lines.push(line);
        resolve();
      },
    });
  });
  const opening = openStore(url, { patience: 60_000 });
  await told;
  await server.start();
  const store = await opening;
  expect(await store.get(urn("a"))).toMatchObject({ state: "pending" });
  expect(lines.filter((line) => line.includes("The start waits for it"))).toHaveLength(1);
  await store.close();
});

test("a wrong password or an unknown database ends the start at once", async () => {
  const lines: string[] = [];
  loggingInit({ write: (line) => lines.push(line) });
  const patience = 600_000;
  await expect(openStore(server.url().replace("tenon:", "tenon:x"), { patience })).rejects.toThrow("refuses the user");
  await expect(openStore(server.url().replace("/postgres", "/x"), { patience })).rejects.toThrow("is not a database");
  // A start that waits, however short, says so first.
  await flushLogs();
  expect(lines).toEqual([]);
});

test("a server that stays away ends the start with the reason", async () => {
  const gone = openStore("postgres://anna@127.0.0.1:9/jobs", { patience: 300 });
  await expect(gone).rejects.toThrow("cannot be reached: nothing listens there");
});
