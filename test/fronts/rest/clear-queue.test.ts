import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { limitsOf } from "../../../runtime/job/limits/limits-of.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { startPostgres, type PostgresServer } from "../../support/postgres-server.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";
import { audience, serveTokenIssuer } from "../../support/token-issuer.ts";
import { sqlitePlace } from "../../unit/runtime/executor/store/sqlite-place.ts";

const main = resolve("cli/main.ts");
const began: string[] = [];
const pay = fakeTool(
  ({ order }: { readonly order: string }, job: JobContext) => {
    began.push(order);
    return new Promise<string>((resolve) => job.signal.addEventListener("abort", () => resolve(order)));
  },
  {
    name: "pay",
    path: "/tool/pay",
    request: { type: "object" },
    definition: { limit: { jobs: 1, per: "request.account", beyond: "wait" } },
    functions: { limits: limitsOf as never },
    options: { maxWaitTime: 0 },
  },
);
const alone = fakeTool(() => 1, {
  name: "alone",
  path: "/tool/alone",
  definition: { limit: { jobs: 1, beyond: "wait" }, scopes: ["write"] },
  functions: { limits: limitsOf as never },
});

const ended: (() => unknown)[] = [];
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
  began.splice(0);
});
afterAll(() => postgres.stop());

function clear(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/queue/${path}`, { method: "DELETE", headers });
}

async function start(server: TestServer, account: unknown, order: string, more: object = {}): Promise<void> {
  const answer = await server.post("/tool/pay", { account, order }, { "job-id": order, ...more });
  expect(answer.status).toBe(202);
}

async function statusOf(server: TestServer, order: string): Promise<number> {
  return (await server.get(`/jobs/${order}`)).status;
}

describe.each(["memory:", "sqlite", "postgres"])("DELETE /queue/{tool} of a store %s", (kind) => {
  async function open(): Promise<TestServer> {
    const place = sqlitePlace();
    ended.push(() => place.remove());
    const store = { "memory:": "memory:", sqlite: `sqlite:${place.file}`, postgres: postgres.url("clear") }[kind];
    const server = await serve([pay, alone], {}, { TENON_STORE: store });
    ended.push(() => server.stop());
    return server;
  }

  test("drains a key, then cancels what runs; other keys go on", async () => {
    const server = await open();
    for (const order of ["one", "two", "three"]) await start(server, "x", order);
    for (const order of ["four", "five"]) await start(server, "__proto__", order);
    await expect.poll(() => began.toSorted()).toEqual(["four", "one"]);
    const drained = await clear(server, "pay?key=x");
    expect([drained.status, drained.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await json(drained)).toEqual({ tool: "pay", limit: "account", cancelled: { held: 2, running: 0 } });
    expect(await Promise.all(["one", "two", "three", "five"].map((order) => statusOf(server, order)))).toEqual([
      202, 409, 409, 202,
    ]);
    expect(await json(await clear(server, "pay?key=x"))).toMatchObject({ cancelled: { held: 0, running: 0 } });
    await start(server, "x", "six");
    const [line] = (await json(await server.get("/queue"))).limits;
    const all = await clear(server, `pay?running=true&key=${encodeURIComponent(line.key)}`);
    expect(await json(all)).toMatchObject({ cancelled: { held: 1, running: 1 } });
    await expect.poll(() => statusOf(server, line.key.includes("proto") ? "four" : "one")).toBe(409);
    const other = line.key.includes("proto") ? "x" : "__proto__";
    expect(await json(await clear(server, `pay?running=true&key=${other}`))).toMatchObject({
      cancelled: { held: 1, running: 1 },
    });
    expect(began).toHaveLength(2);
    expect((await json(await server.get("/queue"))).limits).toBeUndefined();
  });

  test("cancels more jobs than one read has, with any text as a key", async () => {
    const server = await open();
    const value = `ü ${"x".repeat(10_000)}\ud800`;
    await start(server, value, "first");
    const others = Array.from({ length: 520 }, (_, index) => `n${index}`);
    await Promise.all(others.map((order) => start(server, value, order)));
    const [line] = (await json(await server.get("/queue"))).limits;
    expect(line).toMatchObject({ tool: "pay", limit: "account", held: 520 });
    const cleared = await clear(server, `pay?running=true&key=${encodeURIComponent(line.key)}`);
    expect(await json(cleared)).toMatchObject({ cancelled: { held: 520, running: 1 } });
    expect(await json(await server.get("/queue"))).toMatchObject({ running: 0, waiting: 0 });
  });
});

test("refuses what it cannot carry out, and stands in the OpenAPI document of services with limits", async () => {
  const server = await serve([pay, alone]);
  ended.push(() => server.stop());
  expect((await clear(server, "pay")).status).toBe(400);
  expect((await clear(server, "pay?key=x&running=1")).status).toBe(400);
  expect((await clear(server, "none?key=x")).status).toBe(404);
  expect((await clear(server, "alone")).status).toBe(200);
  const wrong = await server.get("/queue/pay");
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "DELETE"]);
  expect(Object.keys((await json(await server.get("/openapi.json"))).paths)).toContain("/queue/{tool}");
  const plain = await serve([fakeTool(() => 1)]);
  ended.push(() => plain.stop());
  expect(Object.keys((await json(await plain.get("/openapi.json"))).paths)).not.toContain("/queue/{tool}");
  expect((await clear(plain, "echo")).status).toBe(404);
});

test("tenon queue lists what waits, drains and cancels", async () => {
  const server = await serve([pay, alone]);
  ended.push(() => server.stop());
  for (const order of ["one", "two", "three"]) await start(server, "x", order);
  const tenon = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      main,
      "queue",
      ...words,
      "--url",
      server.url,
    ]);
    return stdout + stderr;
  };
  const listed = await tenon();
  expect(listed).toMatch(/^pay {2}1 running, 0 waiting, 2 held by a limit$/m);
  expect(listed).toMatch(/^alone {2}0 running, 0 waiting$/m);
  expect(listed).toMatch(/^ {2}pay request\.account "x" {2}2 held, the first for [\d.]+ s$/m);
  expect(JSON.parse(await tenon("--json"))).toMatchObject({ running: 1, limits: [{ held: 2 }] });
  expect(await tenon("drain", "pay", "x")).toBe("Cancelled: 2 that waited for their turn.\n");
  await start(server, "x", "four");
  expect(await tenon("cancel", "pay", 'pay request.account "x"')).toBe(
    "Cancelled: 1 that waited for their turn, 1 that had begun.\n",
  );
  const cleared = { tool: "alone", limit: "alone", cancelled: { held: 0, running: 0 } };
  expect(JSON.parse(await tenon("drain", "alone", "--json"))).toEqual(cleared);
  await expect(tenon("drain", "none", "x")).rejects.toThrow(/has no such tool with a limit/);
  await expect(tenon("drain", "pay")).rejects.toThrow(/Name the value of request.account/);
  await expect(tenon("stop", "pay")).rejects.toThrow(/Usage: tenon queue/);
});

test("callers clear their own jobs, and those who may operate the service the jobs of all", async () => {
  const issuer = await serveTokenIssuer();
  ended.push(() => issuer.stop());
  const server = await serve([pay, alone], { auth: { issuer: issuer.url, audience } });
  ended.push(() => server.stop());
  const as = async (sub: string, scope: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await issuer.tokens.token({ sub, scope })}`,
  });
  const [ann, bob, ops] = [await as("ann", ""), await as("bob", "write"), await as("ops", "tenon:operate")];
  await start(server, "x", "a1", ann);
  for (const order of ["b1", "b2"]) await start(server, "x", order, bob);
  await start(server, "x", "a2", ann);
  expect((await clear(server, "pay?key=x")).status).toBe(401);
  expect((await clear(server, "alone", ann)).status).toBe(403);
  expect((await clear(server, "alone", bob)).status).toBe(200);
  expect((await json(await server.get("/queue", ann))).limits[0]).not.toHaveProperty("key");
  expect((await json(await server.get("/queue", ops))).limits[0]).toMatchObject({ key: 'pay request.account "x"' });
  expect(await json(await clear(server, "pay?key=x&running=true", bob))).toMatchObject({
    cancelled: { held: 2, running: 0 },
  });
  expect((await server.get("/jobs/a2", ann)).status).toBe(202);
  expect(await json(await clear(server, "pay?key=x&running=true", ops))).toMatchObject({
    cancelled: { held: 1, running: 1 },
  });
  expect((await server.get("/jobs/a1", ann)).status).toBe(409);
});
