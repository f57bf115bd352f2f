import { expect, test } from "vitest";
import { startFetchLoop, type FetchLoop } from "../../../../../runtime/fronts/batch/fetch-loop.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import type { SidecarRequest } from "../../../../../runtime/outside/platform/sidecar/sidecar-client.ts";
import { fakeClient, type FakeClient, type Scripted } from "../../../../support/fake-client.ts";
import { virtualClock, type VirtualClock } from "../../../../support/virtual-clock.ts";

loggingInit({ write() {} });

interface Scene {
  readonly clock: VirtualClock;
  readonly client: FakeClient;
  readonly loop: FetchLoop;
  /** Ids of the jobs that were taken, and the ends of those that run. */
  readonly taken: string[];
  readonly running: (() => void)[];
  /** When the loop ended, and how. */
  readonly ends: [at: number, how: string][];
}

function scene(script: (count: number, clock: VirtualClock) => Scripted, concurrency = 1, patience = 300_000): Scene {
  const clock = virtualClock();
  const taken: string[] = [];
  const running: (() => void)[] = [];
  const ends: [number, string][] = [];
  const client = fakeClient((_, count) => script(count, clock));
  const loop = startFetchLoop({
    client,
    clock,
    concurrency,
    patience,
    take: (job) => {
      taken.push(job.id);
      return new Promise((resolve) => running.push(resolve));
    },
  });
  void loop.end.then((how) => ends.push([clock.now(), how]));
  return { clock, client, loop, taken, running, ends };
}

const job = (n: number): Scripted => ({ status: 200, body: { id: `j${n}`, "in-content": {} } });
const done: Scripted = { status: 200, body: { $schema: "urn:platform:schema.service.batch.done.1" } };

test.each<[string, Scripted]>([
  ["refused", "unreachable"],
  ["reset", "broken"],
  ["time-out", "silent"],
  ["500", 500],
  ["503", 503],
  ["429", 429],
])("%s: gives up after its patience, not before, and without a hot loop", async (_, fault) => {
  const { clock, client, ends } = scene(() => fault);
  await clock.advance(299_999);
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(ends).toEqual([[300_000, "silent"]]);
  expect(client.requests.length).toBeGreaterThan(10);
  expect(client.requests.length).toBeLessThan(22);
});

test.each<[string, Scripted]>([
  ["400", 400],
  ["404", 404],
  ["409", 409],
  ["redirect", 302],
  ["garbage", { status: 200, body: "<html>" }],
  ["empty", { status: 200, body: "" }],
  ["too large", "too-large"],
  ["web page", { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: "<html>" }],
  ["array", { status: 200, body: [1] }],
  ["no id", { status: 200, body: { "in-content": {} } }],
  ["bad id", { status: 200, body: { id: ".." } }],
])("%s: is an answer, so that the loop goes on for ever, slowly", async (_, fault) => {
  const { clock, client, ends, taken } = scene(() => fault);
  await clock.advance(3_600_000);
  expect([ends, taken]).toEqual([[], []]);
  expect(client.requests.length).toBeLessThan(170);
});

test("an answer in between starts the patience anew", async () => {
  const { clock, ends } = scene((_, { now }) => (now() > 250_000 && now() < 280_000 ? 204 : "unreachable"));
  await clock.advance(500_000);
  expect(ends).toEqual([]);
  await clock.advance(100_000);
  expect(ends.map(([, how]) => how)).toEqual(["silent"]);
});

test("while a job runs nothing gives up; without one it does", async () => {
  const { clock, ends, running, client } = scene((count) => (count === 1 ? job(1) : "unreachable"), 2);
  await clock.advance(1_000_000);
  expect(ends).toEqual([]);
  expect(client.requests.length).toBeLessThan(60);
  running[0]?.();
  await clock.advance(31_000);
  expect(ends.map(([, how]) => how)).toEqual(["silent"]);
});

test("nothing to do: one question at a time, a second apart, or as Retry-After says", async () => {
  const every = scene(() => 204, 8);
  await every.clock.advance(10_000);
  expect(every.client.requests.length).toBe(11);
  const asked = scene(() => ({ status: 204, headers: { "retry-after": "5" } }), 8);
  await asked.clock.advance(10_000);
  expect(asked.client.requests.length).toBe(3);
});

test("a sidecar that asks for no pause at all is no hot loop", async () => {
  const { clock, client } = scene(() => ({ status: 204, headers: { "retry-after": "0" } }));
  await clock.advance(1000);
  expect(client.requests.length).toBe(5);
});

test("a sidecar that has waited itself is asked again as soon as it says", async () => {
  const clock = virtualClock();
  const asked = fakeClient(() => ({ status: 204, headers: { "retry-after": "0" } }));
  const client = { ...asked, send: async (request: SidecarRequest) => (await clock.sleep(900), asked.send(request)) };
  startFetchLoop({ client, clock, concurrency: 1, patience: 1e6, take: async () => {} });
  await clock.advance(9000);
  expect(asked.requests.length).toBe(10);
});

test("no Retry-After stops a worker for longer than half a minute", async () => {
  const { clock, client } = scene(() => ({ status: 204, headers: { "retry-after": "999999" } }));
  await clock.advance(60_000);
  expect(client.requests.length).toBe(3);
});

test("a failure that stays the same is logged ever more rarely", async () => {
  const lines: string[] = [];
  loggingInit({ write: (line) => lines.push(line) });
  const { clock } = scene(() => 401);
  await clock.advance(3_600_000);
  await expect.poll(() => lines.length).toBe(6);
  loggingInit({ write() {} });
  expect(lines.map((line) => (JSON.parse(line) as { failures: number }).failures)).toEqual([1, 8, 16, 32, 64, 128]);
});

test("asks only for as many jobs as there are free places, and for more as more come", async () => {
  const { clock, client, taken, running } = scene((count) => job(count), 5);
  await clock.settle();
  expect([taken.length, client.requests.length]).toEqual([5, 5]);
  await clock.advance(100_000);
  expect(client.requests.length).toBe(5);
  running[2]?.();
  await clock.settle();
  expect(taken).toEqual([
    "urn:platform:job:j1",
    "urn:platform:job:j2",
    "urn:platform:job:j3",
    "urn:platform:job:j4",
    "urn:platform:job:j5",
    "urn:platform:job:j6",
  ]);
});

test.each<[string, Scripted]>([
  ["marker", done],
  ["410", 410],
])("done by %s: what runs comes to its end, nothing more is asked", async (_, end) => {
  const { clock, client, running, ends } = scene((count) => (count < 3 ? job(count) : end), 4);
  await clock.advance(60_000);
  expect([running.length, ends]).toEqual([2, []]);
  const asked = client.requests.length;
  running[0]?.();
  running[1]?.();
  await clock.advance(60_000);
  expect([ends.length, ends[0]?.[1], client.requests.length]).toEqual([1, "done", asked]);
});

test("a stop gives an open question half a second for an answer that is on its way", async () => {
  const { clock, loop, ends } = scene(() => "never");
  await clock.advance(2000);
  let stopped = false;
  void loop.stop().then(() => (stopped = true));
  await clock.advance(499);
  expect(stopped).toBe(false);
  await clock.advance(1);
  expect([stopped, ends]).toEqual([true, [[2500, "stopped"]]]);
});

test("a stop in a pause is at once, and a job that came late is taken", async () => {
  const { clock, loop, ends, taken } = scene(() => 204);
  await clock.settle();
  await loop.stop();
  await clock.settle();
  expect([ends, taken]).toEqual([[[0, "stopped"]], []]);
});

test("a sidecar that is strict about queries is asked without one", async () => {
  const clock = virtualClock();
  const client = fakeClient(({ path }) => (path.includes("?") ? 404 : 204));
  const loop = startFetchLoop({ client, clock, concurrency: 1, patience: 1e6, take: async () => {} });
  await clock.advance(10_000);
  await loop.stop();
  expect(client.requests.slice(0, 4).map(({ path }) => path)).toEqual([
    "/next_job?wait=20",
    "/next_job",
    "/next_job",
    "/next_job",
  ]);
});

test("a question carries nothing of any job", async () => {
  const { clock, client } = scene(
    () => ({ status: 200, headers: { authorization: "Bearer a" }, body: { id: "j" } }),
    3,
  );
  await clock.settle();
  expect(client.requests.map(({ headers }) => headers)).toEqual(
    Array.from({ length: 3 }, () => ({ Accept: "application/json" })),
  );
});
