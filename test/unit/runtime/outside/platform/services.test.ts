import { afterEach, beforeEach, expect, test } from "vitest";
import {
  AmbiguousRequestError,
  PlatformError,
  ResourceNotFoundError,
  ServiceJobError,
} from "../../../../../runtime/outside/platform/sidecar/platform-errors.ts";
import { fakePlatform, type FakePlatform } from "../../../../support/fake-platform.ts";
import { platformClient } from "../../../../support/platform-job.ts";

let platform: FakePlatform;
beforeEach(async () => {
  platform = await fakePlatform();
  platform.services.push(
    { id: "urn:platform:service:1", name: "prime", description: "Primes" },
    { id: "urn:platform:service:2", name: "prime numbers" },
    { id: "urn:platform:service:3", name: "twin" },
    { id: "urn:platform:service:4", name: "twin" },
  );
});
afterEach(() => platform.close());

const job = "urn:platform:job:7";
const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const accepted = (): { status: number; body: unknown } => ({
  status: 202,
  body: { "job-id": job, location: `http://elsewhere.example/jobs/${job}`, "retry-later": 1 },
});

test("services are listed", async () => {
  const services = await collect(platformClient(platform.url).listServices({ limit: 2 }));
  expect(services.map(({ urn, name, description }) => ({ urn, name, description }))).toEqual([
    { urn: "urn:platform:service:1", name: "prime", description: "Primes" },
    { urn: "urn:platform:service:2", name: "prime numbers", description: undefined },
  ]);
});

test("a service by name: exactly that one", async () => {
  const client = platformClient(platform.url);
  expect((await client.getServiceByName("prime")).urn).toBe("urn:platform:service:1");
  const missing = client.getServiceByName("prim");
  await expect(missing).rejects.toThrow(ResourceNotFoundError);
  await expect(missing).rejects.toThrow(
    'Cannot get service "prim": there is no service of that name. Similar ones: prime, prime numbers.',
  );
  await expect(client.getServiceByName("it's")).rejects.toThrow(
    'Cannot get service "it\'s": there is no service of that name. listServices() tells all names.',
  );
  const several: unknown = await client.getServiceByName("twin").catch((error: unknown) => error);
  expect(several).toBeInstanceOf(AmbiguousRequestError);
  expect(several).toMatchObject({
    message:
      'Cannot get service "twin": 2 services have that name. Choose one by getService(urn): urn:platform:service:3, urn:platform:service:4.',
    candidates: ["urn:platform:service:3", "urn:platform:service:4"],
  });
});

test("a job that is answered at once", async () => {
  platform.submit = (data) => ({ status: 200, body: { got: data }, headers: { "Platform-Job-Id": job } });
  const service = await platformClient(platform.url).getService("urn:a/b");
  const made = await service.requestJob({ n: 1 }, { timeout: 2.5 });
  expect(made).toMatchObject({ urn: job, status: "succeeded", finished: true, succeeded: true });
  expect(await made.result()).toEqual({ got: { n: 1 } });
  expect(platform.calls.map(({ method, url, headers }) => [method, url, headers["timeout"]])).toEqual([
    ["POST", "/services2/urn%3Aa%2Fb/jobs", "3"],
  ]);
});

test("a job that takes longer is polled", async () => {
  platform.submit = accepted;
  platform.jobs.set(job, { pending: 2, record: { status: "succeeded", "result-content": { n: 2 } }, events: [] });
  const service = await platformClient(platform.url).getService("urn:platform:service:1");
  const made = await service.requestJob({});
  expect(made).toMatchObject({ urn: job, status: "pending", finished: false, succeeded: false });
  expect(await made.result()).toEqual({ n: 2 });
  expect(made.status).toBe("succeeded");
  const path = "/services2/urn%3Aplatform%3Aservice%3A1/jobs/urn%3Aplatform%3Ajob%3A7";
  expect(platform.calls.slice(1).map(({ url }) => url)).toEqual(
    Array.from({ length: 3 }, () => `${path}?with-request-content=false&with-result-content=true`),
  );
});

test("204 with a location is a job as well", async () => {
  platform.submit = () => ({ status: 204, headers: { Location: "/jobs/urn%3Aplatform%3Ajob%3A7" } });
  const service = await platformClient(platform.url).getService("s");
  expect((await service.requestJob({})).urn).toBe(job);
  platform.submit = () => ({ status: 202, body: {} });
  await expect(service.requestJob({})).rejects.toThrow(
    new PlatformError("request a job of service s", "the platform answered 202 without the id of a job."),
  );
});

test("a job that fails, and one that takes too long", async () => {
  platform.submit = accepted;
  platform.jobs.set(job, { pending: 0, record: { status: "failed", "error-message": "no number" }, events: [] });
  const service = await platformClient(platform.url).getService("s");
  const failed = (await service.requestJob({})).result();
  await expect(failed).rejects.toThrow(ServiceJobError);
  await expect(failed).rejects.toThrow(`Cannot get the result of job ${job}: it ended as failed. It says: no number`);
  platform.jobs.set(job, { pending: Infinity, record: {}, events: [] });
  await expect(service.job(job).wait({ maxWaitTime: 20 })).rejects.toThrow(
    `Cannot wait for job ${job}: it is still executing after 20 s. Wait longer with maxWaitTime.`,
  );
});

test("a lost answer does not start a second job: both requests have one key", async () => {
  platform.submit = accepted;
  platform.fail("POST", "/services2", "dead");
  await (await platformClient(platform.url).getService("s")).requestJob({});
  const keys = platform.calls.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

const event = (type: string, data: unknown): Record<string, unknown> => ({
  SeqID: "1",
  eventID: "1",
  type: `platform.job.${type}`,
  schema: "urn:s",
  timestamp: "2026-01-01T00:00:00Z",
  data,
});

test("events come until the end, also over a stream that is cut", async () => {
  const events = [
    event("event", { name: "größe\nzwei" }),
    event("event", { name: "b" }),
    event("result", { "job-urn": job }),
    event("status", { "job-urn": job, status: "succeeded" }),
  ];
  const known = { pending: 0, record: {}, events: events.slice(0, 1) };
  platform.jobs.set(job, known);
  const service = await platformClient(platform.url).getService("s");
  const seen: unknown[] = [];
  for await (const one of service.job(job).events()) {
    seen.push([one.id, one.type, one.data]);
    known.events = events;
  }
  expect(seen).toEqual(events.map(({ type, data }, index) => [String(index), type, data]));
  expect(platform.calls.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "0"]);
});

test("a stream that never tells an end is given up", async () => {
  platform.jobs.set(job, { pending: 0, record: {}, events: [] });
  const service = await platformClient(platform.url).getService("s");
  await expect(collect(service.job(job).events())).rejects.toThrow(
    `Cannot get events of job ${job}: the stream ended before the job, 5 times.`,
  );
});

test.each([
  [{}, -1, "timeout must be a number of seconds from 0 to 3600."],
  [{}, Number.NaN, "timeout must be a number of seconds from 0 to 3600."],
  ["text" as never, 0, "The request of a job must be an object."],
])("a mistake is told before anything is sent: %j, %d", async (data, timeout, message) => {
  const service = await platformClient(platform.url).getService("s");
  await expect(service.requestJob(data, { timeout })).rejects.toThrow(new TypeError(message));
  expect(platform.calls).toEqual([]);
});
