import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import pg from "pg";
import { expireLeases } from "../../support/expire-leases.ts";
import { launchEntry, type LaunchedService } from "../../support/launch.ts";
import { startPostgres, type PostgresServer } from "../../support/postgres-server.ts";

const entry = join(inject("bundledServices"), "lambda.js");
const eventually = { timeout: 90_000, interval: 100 };

let server: PostgresServer;
let client: pg.Client;
let schemas = 0;
let schema = "";
const running: LaunchedService[] = [];
beforeAll(async () => {
  server = await startPostgres();
  client = new pg.Client(server.url());
  await client.connect();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((replica) => replica.kill()));
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

/** Starts replicas on a new schema, or one more on the same. */
async function replicas(count: number, env: Readonly<Record<string, string>> = {}): Promise<LaunchedService[]> {
  const all = { TENON_STORE: server.url(schema), TEST_TOOLS: "single", ...env };
  const started = await Promise.all(Array.from({ length: count }, () => launchEntry(entry, [], all).listening));
  running.push(...started);
  return started;
}

async function pair(): Promise<[LaunchedService, LaunchedService]> {
  schema = `together${schemas++}`;
  const [a, b] = await replicas(2);
  if (a === undefined || b === undefined) throw new Error("no replicas");
  return [a, b];
}

async function deferred(at: LaunchedService, ms: number): Promise<string> {
  const answer = await at.post({ ms }, { prefer: "wait=0" });
  expect(answer.status).toBe(202);
  return answer.headers.get("location") ?? "";
}

async function stored(path: string): Promise<{ phase: number; attempt: number } | undefined> {
  const { rows } = await client.query(`SELECT phase, attempt FROM ${schema}.jobs WHERE id = $1`, [
    path.replace("/jobs/", ""),
  ]);
  return rows[0] as { phase: number; attempt: number } | undefined;
}

async function ended(at: LaunchedService, path: string): Promise<unknown> {
  const answer = await fetch(at.url + path, { headers: { prefer: "wait=60" } });
  return answer.status === 200 ? answer.json() : { status: answer.status };
}

test("jobs that wait for a slot are run by whichever replica has one; their callers hear of it where they asked", async () => {
  const [a, b] = await pair();
  const long = await deferred(a, 60_000);
  await expect.poll(async () => (await stored(long))?.phase, eventually).toBe(2);
  // Each is deferred, so it is stored while it waits on A.
  const paths = await Promise.all([10, 11, 12].map((ms) => deferred(a, ms)));
  const named = await a.post({ ms: 13 }, { "job-id": "named", prefer: "wait=60" });
  expect([named.status, await named.json()]).toEqual([200, { pid: b.pid }]);
  expect(await Promise.all(paths.map((path) => ended(a, path)))).toEqual(paths.map(() => ({ pid: b.pid })));
});

test("the job of a replica that died is run by another one after its lease, with its next attempt", async () => {
  const [a, b] = await pair();
  const path = await deferred(a, 2000);
  const events = fetch(`${b.url}${path}/events`).then((answer) => answer.text());
  await expect.poll(async () => (await stored(path))?.phase, eventually).toBe(2);
  await a.kill();
  await expireLeases(server.url(schema));
  expect(await ended(b, path)).toEqual({ pid: b.pid });
  expect((await stored(path))?.attempt).toBe(2);
  const numbers = [...(await events).matchAll(/^id: 0*(\d+)$/gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test("a replica that stops gives its job to another one, at once and without spending an attempt", async () => {
  schema = `together${schemas++}`;
  const [a] = await replicas(1, { PLATFORM_SHUTDOWN_GRACE: "0" });
  if (a === undefined) throw new Error("no replica");
  const path = await deferred(a, 60_000);
  await expect.poll(async () => (await stored(path))?.phase, eventually).toBe(2);
  await replicas(1);
  expect((await a.stop()).code).toBe(0);
  // A job whose replica died waits for the end of its lease, 15 s.
  await expect.poll(async () => stored(path), { ...eventually, timeout: 5000 }).toEqual({ phase: 2, attempt: 1 });
});

test("events go on at another replica from Last-Event-ID; a cancel on any reaches the one that runs the job", async () => {
  const [a, b] = await pair();
  const path = await deferred(a, 60_000);
  await expect.poll(async () => (await stored(path))?.phase, eventually).toBe(2);
  const listening = fetch(`${b.url}${path}/events`, { headers: { "last-event-id": "1" } }).then((one) => one.text());
  const cancelled = await fetch(b.url + path, { method: "DELETE" });
  expect(cancelled.status).toBe(202);
  const text = await listening;
  expect([...text.matchAll(/"type":"([^"]+)"/g)].map(([, type]) => type)).toEqual(["platform.job.status"]);
  // The place on A is free again: a job that only A can get runs there.
  await b.kill();
  const next = await a.post({ ms: 1 }, { prefer: "wait=60" });
  expect([next.status, await next.json()]).toEqual([200, { pid: a.pid }]);
});

test("two builds side by side: a tool that only the new one has is left to it, and the old one says so", async () => {
  schema = `together${schemas++}`;
  const [old] = await replicas(1, { TEST_TOOLS: "single" });
  const [next] = await replicas(1, { TEST_TOOLS: "single other" });
  if (old === undefined || next === undefined) throw new Error("no replicas");
  const answer = await next.post({ ms: 1 }, { "job-id": "new" }, "/tool/other");
  expect(answer.status).toBe(200);
  const asked = await fetch(`${old.url}/jobs/new`);
  expect([asked.status, asked.headers.get("retry-after")]).toEqual([503, "1"]);
  await client.query(
    `INSERT INTO ${schema}.jobs (id, phase, due, attempt, max_attempts, ttl, tool, input)
     VALUES ('newest', 0, 0, 0, 3, 60, 'newest', '{"ms":1}'), ('known', 0, 0, 0, 3, 60, 'single', '{"ms":1}')`,
  );
  expect(await ended(old, "/jobs/known")).toHaveProperty("pid");
  expect(await stored("/jobs/newest")).toEqual({ phase: 0, attempt: 0 });
});

test("the start over MCP says so when replicas have no common key for questions", async () => {
  const env = { TENON_STORE: server.url("keys"), TEST_TOOLS: "single" };
  const without = await launchEntry(entry, ["--with-mcp"], env).listening;
  const key = { TENON_STATE_KEY: "k".repeat(32) };
  const having = await launchEntry(entry, ["--with-mcp"], { ...env, ...key }).listening;
  running.push(without, having);
  expect((await without.stop()).stderr).toContain("TENON_STATE_KEY is not set");
  expect((await having.stop()).stderr).not.toContain("TENON_STATE_KEY");
});

test("an idempotency key that another replica knows: the answer has that job's id, also when it is deferred", async () => {
  const [a, b] = await pair();
  const headers = { "idempotency-key": "once", prefer: "wait=0" };
  const first = await a.post({ ms: 1500 }, headers);
  const second = await b.post({ ms: 1500 }, headers);
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(second.headers.get("location")).toBe(first.headers.get("location"));
  const waited = await b.post({ ms: 1500 }, { ...headers, prefer: "wait=60" });
  expect([waited.status, waited.headers.get("job-id")]).toEqual([200, first.headers.get("job-id")]);
});
