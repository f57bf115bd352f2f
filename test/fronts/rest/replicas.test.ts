import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launchEntry } from "../../support/launch.ts";
import type { LaunchedService } from "../../support/launch.ts";
import { postgresPassword, startPostgres } from "../../support/postgres-server.ts";
import type { PostgresServer } from "../../support/postgres-server.ts";

const entry = join(inject("bundledServices"), "lambda.js");

let server: PostgresServer;
/** Two replicas of a service, each a process of its own, with one database. */
let a: LaunchedService;
let b: LaunchedService;
beforeAll(async () => {
  server = await startPostgres();
  const replica = { TENON_STORE: server.url("replicas") };
  [a, b] = await Promise.all([launchEntry(entry, [], replica).listening, launchEntry(entry, [], replica).listening]);
});
afterAll(async () => {
  const ended = await Promise.all([a.stop(), b.stop()]);
  await server.stop();
  for (const { code, stderr, stdout } of ended) {
    expect(code).toBe(0);
    expect(stderr + stdout).not.toContain(postgresPassword);
  }
});

/** Starts a job on replica A and returns its path. */
async function deferred(ms: number, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await a.post({ ms }, { prefer: "wait=0", ...headers });
  expect(answer.status).toBe(202);
  return answer.headers.get("location") ?? "";
}

test("any replica answers for a job, and waits for its end", async () => {
  const path = await deferred(1500);
  expect((await fetch(b.url + path, { headers: { prefer: "wait=0" } })).status).toBe(202);
  const waited = await fetch(b.url + path, { headers: { prefer: "wait=60" } });
  expect([waited.status, await waited.json()]).toEqual([200, { waited: 1500 }]);
  expect(await (await fetch(a.url + path)).json()).toEqual({ waited: 1500 });
});

test("GET /queue of any replica has the jobs of all", async () => {
  const path = await deferred(60_000);
  const figures = async ({ url }: LaunchedService): Promise<unknown> => (await fetch(`${url}/queue`)).json();
  for (const replica of [a, b]) expect(await figures(replica)).toMatchObject({ waiting: 0, running: 1 });
  await fetch(b.url + path, { method: "DELETE" });
  await expect.poll(() => figures(a), { interval: 10, timeout: 10_000 }).toMatchObject({ running: 0 });
});

test("an idempotency key is known on every replica", async () => {
  const headers = { "idempotency-key": "once" };
  const path = await deferred(300, headers);
  const again = await b.post({ ms: 300 }, { ...headers, prefer: "wait=60" });
  expect([again.status, await again.json()]).toEqual([200, { waited: 300 }]);
  expect((await b.post({ ms: 301 }, headers)).status).toBe(422);
  // The one that ran it may hear of the commit after the other one.
  expect((await fetch(a.url + path, { headers: { prefer: "wait=60" } })).status).toBe(200);
});

test("a job that one replica runs can be cancelled on the other one, and stays cancelled", async () => {
  const path = await deferred(60_000);
  const cancelled = await fetch(b.url + path, { method: "DELETE" });
  expect(cancelled.ok).toBe(true);
  const [onA, onB] = await Promise.all([a, b].map(({ url }) => fetch(url + path, { headers: { prefer: "wait=60" } })));
  expect(onB?.status).toBe(onA?.status);
  expect(await onA?.text()).toContain("cancelled");
});
