import { afterAll, beforeAll, expect, test } from "vitest";
import { callAbout, fetchJob, localPlatform, submit } from "../../support/local-platform.ts";
import { startPostgres, type PostgresServer } from "../../support/postgres-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const everySecond = { cron: "* * * * * *", zone: "UTC", missed: "one", overlap: "skip" };
const definitionOf = (request: unknown, more: object = {}): Record<string, unknown> => ({
  name: "Tick",
  tools: [{ name: "tick", schedules: [{ ...everySecond, request }], ...more }],
});

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** Fetches the next job and ends it; its id. */
async function work(at: { readonly url: string }): Promise<{ readonly id: string; readonly content: unknown }> {
  const { id, content, headers } = await fetchJob(at, "tick", 60);
  expect(await callAbout(at, `/results/${id}`, headers, { ok: true })).toBe(204);
  return { id, content };
}

test("a platform starts the jobs of a batch service by its schedules, and by new ones when it is registered anew", async () => {
  const platform = await localPlatform({ services: [{ definition: definitionOf({ n: 1 }) }] });
  const first = await work(platform);
  expect(first).toEqual({ id: expect.stringMatching(/:schedule~tick~1~\d{8}T\d{6}Z$/), content: { n: 1 } });
  expect((await work(platform)).id).not.toBe(first.id);
  const chosen = { "job-id": "schedule~tick~1~20990101T000000Z" };
  expect((await submit(platform, "tick", {}, chosen)).status).toBe(400);
  await platform.register({ definition: definitionOf({ n: 2 }) });
  await expect.poll(async () => (await work(platform)).content).toEqual({ n: 2 });
});

test("a job of a schedule has the $schema of its tool, where a service has several", async () => {
  const $schema = "urn:demo:schema.tick.request.1";
  const { tools: [tick] = [] } = definitionOf({ n: 1 }) as { tools?: readonly object[] };
  const schema = { properties: { $schema: { const: $schema } } };
  const definition = { name: "Tick", tools: [{ name: "pay" }, { ...tick, "request-schema": schema }] };
  const platform = await localPlatform({ services: [{ definition }] });
  expect((await work(platform)).content).toEqual({ $schema, n: 1 });
});

test("the schedules of a service are listed with their jobs and paused, by the operator only", async () => {
  const { tools: [tick] = [] } = definitionOf({ n: 1 }) as { tools?: readonly object[] };
  const definition = { name: "Tick", tools: [{ name: "pay" }, tick] };
  const platform = await localPlatform({ services: [{ definition }] });
  const { id } = await fetchJob(platform, "tick", 60);
  const list = async (): Promise<unknown> =>
    ((await (await fetch(`${platform.url}/services2/tick/schedules`)).json()) as { items: unknown }).items;
  const shown = { tool: "tick", number: 1, ...everySecond, request: { n: 1 }, "job-ids": "schedule~tick.tick~1~" };
  await expect
    .poll(list)
    .toEqual([
      { ...shown, paused: false, next: expect.any(String), last: expect.any(String), "last-job": expect.anything() },
    ]);
  const headers = { "content-type": "application/json" };
  const pause = (path: string, body: string, more = {}): Promise<Response> =>
    fetch(`${platform.url}/services2/tick/schedules/${path}/paused`, {
      method: "PUT",
      headers: { ...headers, ...more },
      body,
    });
  expect(await (await pause("tick/1", "true")).json()).toMatchObject({ ...shown, paused: true });
  expect(await list()).toMatchObject([{ paused: true }]);
  expect((await pause("tick/2", "true")).status).toBe(404);
  expect((await pause("pay/1", "true")).status).toBe(404);
  expect((await pause("tick/1", "1")).status).toBe(400);
  const jobs = (await (await fetch(`${platform.url}/jobs?id=${id}`)).json()) as { items: unknown };
  expect(jobs.items).toMatchObject([{ id, origin: "schedule" }]);
});

test("replicas of a platform start each of them once", async () => {
  const replica = { store: postgres.url("ticks"), key: "k".repeat(40), folder: temporaryFolder() };
  const a = await localPlatform({ ...replica, services: [{ definition: definitionOf({ n: 1 }) }] });
  const b = await localPlatform({ ...replica, folder: temporaryFolder() });
  const ids = [];
  for (const at of [a, b, a, b]) ids.push((await work(at)).id);
  expect(new Set(ids).size).toBe(4);
});

test("a schedule keeps the limit of its tool, and waits where a caller would be refused", async () => {
  const limit = { jobs: 1, beyond: "refuse" };
  const schedules = [{ ...everySecond, overlap: "allow", request: {} }];
  const platform = await localPlatform({ services: [{ definition: definitionOf({}, { limit, schedules }) }] });
  const first = await fetchJob(platform, "tick", 60);
  const held = async (): Promise<unknown> =>
    ((await (await fetch(`${platform.url}/queue`)).json()) as { held: number }).held;
  // At least, since each second adds one, and a busy machine may not look at every number.
  await expect.poll(held).toBeGreaterThanOrEqual(2);
  expect(await callAbout(platform, `/results/${first.id}`, first.headers, {})).toBe(204);
  expect((await work(platform)).id).not.toBe(first.id);
});

test("a schedule that is not valid is said once, and keeps nobody from working", async () => {
  const lines: string[] = [];
  const schedules = [{ ...everySecond, zone: "Europe/Nowhere", request: {} }];
  const services = [
    { definition: definitionOf({}, { schedules }) },
    { definition: { ...definitionOf(1), name: "Other" } },
  ];
  const platform = await localPlatform({ services, warn: (line) => lines.push(line) });
  expect((await fetchJob(platform, "other", 60)).content).toBe(1);
  expect(lines.filter((line) => line.includes("tick"))).toEqual([
    expect.stringMatching(/^The schedules of tick are late or cannot be read: .*Europe\/Nowhere/),
  ]);
  // A service that is called starts its own.
  await platform.register({ definition: { ...definitionOf({}), name: "Called" }, url: "http://127.0.0.1:1" });
  const queue = (await (await fetch(`${platform.url}/queue`)).json()) as {
    services: Record<string, { waiting: number }>;
  };
  expect(queue.services["called"]).toMatchObject({ waiting: 0 });
});
