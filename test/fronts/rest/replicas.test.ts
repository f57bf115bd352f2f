import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import pg from "pg";
import { channelOf } from "../../../runtime/executor/store/postgres/channel.ts";
import { launchEntry, type LaunchedService } from "../../support/launch.ts";
import { postgresPassword, startPostgres, type PostgresServer } from "../../support/postgres-server.ts";

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
  const folder = mkdtempSync(join(tmpdir(), "tenon-gate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const gate = join(folder, "open");
  const answer = await a.post({ ms: 15, gate }, { prefer: "wait=0" });
  const path = answer.headers.get("location") ?? "";
  expect((await fetch(b.url + path, { headers: { prefer: "wait=0" } })).status).toBe(202);
  const waited = fetch(b.url + path, { headers: { prefer: "wait=60" } });
  writeFileSync(gate, "");
  const end = await waited;
  expect([end.status, await end.json()]).toEqual([200, { waited: 15 }]);
  // The one that ran it may hear of the commit after the other one.
  expect(await (await fetch(a.url + path, { headers: { prefer: "wait=60" } })).json()).toEqual({ waited: 15 });
});

test("GET /queue of any replica has the jobs of all", async () => {
  const path = await deferred(60_000);
  const figures = async ({ url }: LaunchedService): Promise<unknown> => (await fetch(`${url}/queue`)).json();
  for (const replica of [a, b]) expect(await figures(replica)).toMatchObject({ waiting: 0, running: 1 });
  await fetch(b.url + path, { method: "DELETE" });
  await expect.poll(() => figures(a), { interval: 10 }).toMatchObject({ running: 0 });
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

test("what a stranger writes to the channel of the replicas harms none of them", async () => {
  const path = await deferred(2000);
  const waited = fetch(b.url + path, { headers: { prefer: "wait=60" } });
  const client = new pg.Client(server.url());
  await client.connect();
  for (const kind of ["e", "p", "a", "r", "n", "?", "z", ""])
    for (const text of ["*", "{", "[[[", '[{"toString":1}]', "x".repeat(7900)])
      await client.query("SELECT pg_notify($1, $2)", [channelOf("replicas"), kind + text]);
  await client.end();
  expect(await (await waited).json()).toEqual({ waited: 2000 });
  for (const { url, stderr } of [a, b]) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(stderr()).not.toMatch(/"level":"(?:ERROR|WARNING)"/);
  }
});

test("a job that one replica runs can be cancelled on the other one, and stays cancelled", async () => {
  const path = await deferred(60_000);
  const cancelled = await fetch(b.url + path, { method: "DELETE" });
  expect(cancelled.ok).toBe(true);
  const [onA, onB] = await Promise.all([a, b].map(({ url }) => fetch(url + path, { headers: { prefer: "wait=60" } })));
  expect(onB?.status).toBe(onA?.status);
  expect(await onA?.text()).toContain("cancelled");
});
