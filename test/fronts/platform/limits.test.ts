import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalPlatform } from "../../../cli/local-platform/start-local-platform.ts";
import { turnOfJob } from "../../../cli/local-platform/services/service-limits.ts";
import { callAbout, fetchJob, jobOf, jobRecord, localPlatform, submit } from "../../support/local-platform.ts";
import { startPostgres, type PostgresServer } from "../../support/postgres-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { launch } from "../batch/launch.ts";

const schema = { type: "object", properties: { account: { type: "string" }, size: { type: "integer" } } };
const limit = { jobs: 1, per: "request.account", beyond: "wait" };
const definitionOf = (more: object = {}): Record<string, unknown> => ({
  name: "Pay",
  tools: [{ name: "pay", "request-schema": schema, limit: { ...limit, ...more } }],
});

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

async function end(
  platform: LocalPlatform,
  { id, headers }: { id: string; headers: Record<string, string> },
): Promise<void> {
  expect(await callAbout(platform, `/results/${id}`, headers, { ok: true })).toBeLessThan(300);
}

describe.each(["sqlite", "postgres"])("a platform with its jobs in %s", (kind) => {
  async function open(): Promise<LocalPlatform> {
    const store = kind === "postgres" ? { store: postgres.url("limits") } : {};
    return localPlatform({ services: [{ definition: definitionOf() }], ...store });
  }

  test("keeps the limits of jobs that it hands out, and wakes a worker for the next one", async () => {
    const platform = await open();
    for (const account of ["x", "x", "y", "x"]) await submit(platform, "pay", { account });
    const [first, other] = [await fetchJob(platform, "pay", 0), await fetchJob(platform, "pay", 0)];
    expect([first.content, other.content]).toEqual([{ account: "x" }, { account: "y" }]);
    expect((await fetchJob(platform, "pay", 0)).status).toBe(204);
    const queue = await (await fetch(`${platform.url}/queue`)).json();
    expect(queue).toMatchObject({ waiting: 0, running: 2, held: 2, services: { pay: { held: 2 } } });
    expect(await (await fetch(`${platform.url}/metrics`)).text()).toMatch(/^platform_jobs_held\{service="pay".*\} 2$/m);
    const waiting = fetchJob(platform, "pay", 60);
    await end(platform, other);
    await end(platform, first);
    const second = await waiting;
    expect(second.content).toEqual({ account: "x" });
    const third = fetchJob(platform, "pay", 60);
    expect((await fetch(`${platform.url}/jobs/${second.id}`, { method: "DELETE" })).status).toBeLessThan(300);
    expect((await third).content).toEqual({ account: "x" });
    await end(platform, await third);
    expect(await (await fetch(`${platform.url}/queue`)).json()).toMatchObject({ waiting: 0, running: 0 });
  });
});

test.each(["sqlite", "postgres"])("hands out jobs with a head start first, with its jobs in %s", async (kind) => {
  const priorities = [
    { seconds: 600, when: "request.account", is: "enterprise" },
    { seconds: "60", when: 7, is: null },
  ];
  const definition = { name: "Pay", tools: [{ name: "pay", "request-schema": schema, priorities }] };
  const store = kind === "postgres" ? { store: postgres.url("priorities") } : {};
  const platform = await localPlatform({ services: [{ definition }], ...store });
  for (const account of ["a", "b", "enterprise", "c", "enterprise"]) await submit(platform, "pay", { account });
  const accounts: unknown[] = [];
  for (let n = 0; n < 5; n++) accounts.push((await fetchJob(platform, "pay", 0)).content);
  expect(accounts).toEqual(["enterprise", "enterprise", "a", "b", "c"].map((account) => ({ account })));
});

/** The service of the worker that the tests launch, with a debounce. */
function debounced(times: object): Record<string, unknown> {
  const text = { type: "string" };
  const request = { type: "object", required: ["text"], properties: { text, kind: text } };
  return {
    name: "Batch",
    tools: [{ name: "work", "request-schema": request, debounce: { ...times, per: "request.kind" } }],
  };
}

describe.each(["sqlite", "postgres"])("a debounce of a worker's tool, with jobs in %s", (kind) => {
  test("joins requests over a restart, and gives the worker only the last one", async () => {
    const place = {
      folder: temporaryFolder(),
      ...(kind === "postgres" && { store: postgres.url("debounce"), key: "k".repeat(40) }),
    };
    const before = await localPlatform({ ...place, services: [{ definition: debounced({ seconds: 3600 }) }] });
    const first = jobOf(await submit(before, "batch", { text: "one", kind: "a" }));
    const other = jobOf(await submit(before, "batch", { text: "other", kind: "b" }));
    expect(jobOf(await submit(before, "batch", { text: "two", kind: "a" }))).toBe(first);
    expect(other).not.toBe(first);
    expect(await jobRecord(before, first)).toMatchObject({
      status: "pending",
      "waits-for": { limit: "kind", ahead: 0, time: expect.stringMatching(/Z$/) },
    });
    await before.stop();

    const platform = await localPlatform(place);
    expect(jobOf(await submit(platform, "batch", { text: "three", kind: "a" }))).toBe(first);
    // A request that the tool would refuse replaces no other one, and is not delayed.
    const invalid = jobOf(await submit(platform, "batch", { kind: "a" }));
    launch({ PLATFORM_BASE_URL: platform.baseUrl("Batch") }, [], place.folder);
    expect(await jobRecord(platform, invalid, 60)).toMatchObject({ id: invalid, status: "failed" });
    expect(await jobRecord(platform, first)).toMatchObject({ status: "pending", attempt: 0 });

    await platform.register({ definition: debounced({ seconds: 3600, most: 0.05 }) });
    const earlier = jobRecord(platform, first, 60);
    const last = await submit(platform, "batch", { text: "four", kind: "a" }, { timeout: "60" });
    expect([last.status, jobOf(last), await last.json()]).toMatchObject([200, first, { output: "FOUR" }]);
    expect(await earlier).toMatchObject({ id: first, status: "succeeded", "result-content": { output: "FOUR" } });
    expect(jobOf(await submit(platform, "batch", { text: "five", kind: "a" }))).not.toBe(first);
    expect(await jobRecord(platform, other)).toMatchObject({ status: "pending" });
  });
});

test("a debounce joins the requests of one job, and of nobody else", async () => {
  const services = [{ definition: { name: "Demo" } }, { definition: debounced({ seconds: 3600 }) }];
  const platform = await localPlatform({ services });
  await submit(platform, "demo", {});
  await submit(platform, "demo", {});
  const ids = [];
  for (const job of [undefined, await fetchJob(platform, "demo"), await fetchJob(platform, "demo")])
    for (const text of ["one", "two"]) {
      const headers = job === undefined ? {} : { authorization: job.headers["authorization"] ?? "" };
      ids.push(jobOf(await submit(platform, "batch", { text, kind: "a" }, headers)));
    }
  const [a, b, c, d, e, f] = ids;
  expect([b, d, f]).toEqual([a, c, e]);
  expect(new Set(ids).size).toBe(3);
});

test("refuses a job above its limit where the limit says so", async () => {
  const platform = await localPlatform({ services: [{ definition: definitionOf({ beyond: "refuse" }) }] });
  await submit(platform, "pay", { account: "x" });
  const refused = await fetch(`${platform.url}/services2/pay/jobs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"account":"x"}',
  });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
});

describe("the limit of a job", () => {
  const key = (definition: Record<string, unknown>, text: string | undefined, url?: string): string | undefined =>
    turnOfJob({ key: "pay", urn: "urn:pay", name: "Pay", definition, url }, text).limit?.key;

  test("is that of the tool that its request is for", () => {
    const two = { name: "a", "request-schema": { properties: { $schema: { const: "urn:a" } } }, limit: { jobs: 2 } };
    const both = { name: "Both", tools: [two, { ...two, name: "b", "request-schema": {} }] };
    expect(key(both, '{"$schema":"urn:a"}')).toBe("pay/a");
    expect(key(both, '{"to":{"$schema":"urn:c"},"$schema":"urn:a"}')).toBe("pay/a");
    expect(key(both, '{"$schema":"urn:c"}')).toBeUndefined();
    expect(key(both, '{"to":{"$schema":"urn:a"}}')).toBeUndefined();
    expect(key(definitionOf(), '{"account":"x"}')).toBe('pay/pay request.account "x"');
    expect(key(definitionOf({ per: "request.size" }), '{"size":"5.0"}')).toBe('pay/pay request.size "5"');
    expect(key(definitionOf({ per: "caller" }), "{}")).toBe("pay/pay caller null");
  });

  test("is a debounce for requests that the tool accepts", () => {
    const definition = debounced({ seconds: 5, most: 60 });
    const of = (value: unknown): unknown =>
      turnOfJob({ key: "batch", urn: "urn:b", name: "Batch", definition, url: undefined }, JSON.stringify(value)).limit;
    expect(of({ text: "a", kind: "x" })).toEqual({
      key: 'batch/work request.kind "x"',
      debounce: { wait: 5000, most: 60_000 },
      retryAfter: 3,
    });
    expect([of({ kind: "x" }), of({ text: "a" }), of([])]).toEqual([undefined, undefined, undefined]);
    expect(key(debounced({ seconds: 0 }), '{"text":"a","kind":"x"}')).toBeUndefined();
    // A schema of another program that cannot be read accepts nothing.
    const odd = { type: "object", patternProperties: { "(": {} } };
    const tools = [{ name: "work", "request-schema": odd, debounce: { seconds: 5 } }];
    expect(key({ name: "Batch", tools }, "{}")).toBeUndefined();
  });

  test("is none without a key, for a REST service, and where a definition has none", () => {
    expect(key(definitionOf(), "{}")).toBeUndefined();
    expect(key(definitionOf(), undefined)).toBeUndefined();
    expect(key(definitionOf(), '{"account":"x"}', "http://127.0.0.1:1")).toBeUndefined();
    for (const bad of [{ jobs: 0 }, { jobs: "1" }, { per: 7 }])
      expect(key(definitionOf(bad), '{"account":"x"}')).toBeUndefined();
    for (const tools of [undefined, "x", [null], [{ name: "pay", limit: 3 }]])
      expect(key({ name: "Pay", tools }, '{"account":"x"}')).toBeUndefined();
  });
});
