import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../../../../../runtime/contract/contract.ts";
import {
  createSidecarSink,
  type SidecarSink,
} from "../../../../../../runtime/outside/platform/delivery/sidecar-sink.ts";
import type { EventSource } from "../../../../../../runtime/job/sink.ts";
import type { EventAmount } from "../../../../../../runtime/outside/platform/delivery/event-room.ts";
import type { JobEvent } from "../../../../../../runtime/job/job.ts";
import { flushLogs, loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import { fakeClient, type Scripted } from "../../../../../support/fake-client.ts";
import { virtualClock } from "../../../../../support/virtual-clock.ts";
import { processorTime } from "../../../../../support/processor-time.ts";

const generic = "urn:platform:schema:service.event.generic.1";
const start = "urn:platform:schema:service.event.step.start.1";

function source(name: string, authorization?: string): EventSource {
  return { id: `urn:platform:job:${name}`, tool: { name: "t" }, authorization };
}

function event(sequence: number, $schema: string = generic): JobEvent {
  const body: JsonObject = { $schema, sequence };
  return { sequence, timestamp: "", body, publicBody: body };
}

// The first records wait for the library of the log, and must not reach the next test's.
afterEach(flushLogs);

interface Scene {
  readonly sink: SidecarSink;
  readonly clock: ReturnType<typeof virtualClock>;
  readonly client: ReturnType<typeof fakeClient>;
  readonly logs: string[];
  /** Accepted events, as `job sequence`. */
  readonly accepted: string[];
}

function scene(script: (count: number, path: string) => Scripted, capacity?: EventAmount): Scene {
  const logs: string[] = [];
  loggingInit({ write: (line) => logs.push(line) });
  const clock = virtualClock();
  const accepted: string[] = [];
  const client = fakeClient(({ path, body }, count) => {
    const said = script(count, path);
    if (said === 204) accepted.push(`${path.slice(-1)} ${(JSON.parse(String(body)) as JsonObject)["sequence"]}`);
    return said;
  });
  const sink = createSidecarSink({ client, clock, ...(capacity !== undefined && { capacity }) });
  return { sink, clock, client, logs, accepted };
}

test("one request per event with the job's own token and attempt; ids are encoded", async () => {
  const { sink, client } = scene(() => 204);
  const attempt = { id: "urn:platform:job:a/b c", headers: { "Job-Attempt": "2", "Job-Lease": "x" } };
  sink.emit({ ...source("a", "Bearer a"), attempt }, event(1));
  sink.emit(source("b"), event(1));
  await Promise.all([sink.flush("urn:platform:job:a"), sink.flush("urn:platform:job:b")]);
  expect(client.requests.map(({ method, path, headers, body }) => [method, path, headers, body])).toEqual([
    [
      "POST",
      "/events/urn%3Aplatform%3Ajob%3Aa%2Fb%20c",
      { Authorization: "Bearer a", "Content-Type": "application/json", "Job-Attempt": "2", "Job-Lease": "x" },
      `{"$schema":"${generic}","sequence":1}`,
    ],
    [
      "POST",
      "/events/urn%3Aplatform%3Ajob%3Ab",
      { "Content-Type": "application/json" },
      `{"$schema":"${generic}","sequence":1}`,
    ],
  ]);
});

test("emitting sends nothing by itself and never throws", () => {
  const { sink, client } = scene(() => 204);
  for (let n = 1; n <= 100; n++) sink.emit(source("a"), event(n));
  expect(client.requests).toEqual([]);
});

test.each<Scripted>(["unreachable", "broken", "silent", 500, 503, 429])(
  "order holds through any number of failures: %j",
  async (fault) => {
    const { sink, clock, accepted, logs } = scene((count) => (count % 3 === 0 ? 204 : fault));
    for (let n = 1; n <= 20; n++) sink.emit(source(n % 2 === 0 ? "a" : "b"), event(n));
    await clock.advance(600_000);
    expect(accepted.filter((text) => text.startsWith("a"))).toEqual(
      [2, 4, 6, 8, 10, 12, 14, 16, 18, 20].map((n) => `a ${n}`),
    );
    expect(accepted.filter((text) => text.startsWith("b"))).toEqual(
      [1, 3, 5, 7, 9, 11, 13, 15, 17, 19].map((n) => `b ${n}`),
    );
    await flushLogs();
    expect(logs.join("")).not.toContain("lost");
  },
);

test("down for a while: no hot loop, then everything in order", async () => {
  const { sink, clock, client, accepted } = scene(() => (clock.now() < 60_000 ? "unreachable" : 204));
  for (let n = 1; n <= 50; n++) sink.emit(source("a"), event(n));
  await clock.advance(59_000);
  expect(client.requests.length).toBeLessThan(12);
  await clock.advance(31_000);
  expect(accepted).toEqual(Array.from({ length: 50 }, (_, n) => `a ${n + 1}`));
});

test("a refused event is lost and counted; the others go on", async () => {
  const { sink, accepted, logs } = scene((count) => (count === 2 ? 400 : 204));
  for (let n = 1; n <= 3; n++) sink.emit(source("a"), event(n));
  await sink.flush("urn:platform:job:a");
  expect(accepted).toEqual(["a 1", "a 3"]);
  await flushLogs();
  expect(logs.map((line) => JSON.parse(line)).map(({ msg, lost }) => [msg, lost])).toEqual([
    ["event refused", undefined],
    ["events of the job were lost", 1],
  ]);
});

test.each([
  ["at once", false],
  ["one after the other", true],
])("refused events are logged once per job, and then counted: reported %s", async (_, isSlow) => {
  const { sink, clock, logs } = scene(() => 400);
  for (let n = 1; n <= 300; n++) {
    sink.emit(source("a"), event(n));
    if (isSlow) await clock.settle();
  }
  sink.emit(source("b"), event(1));
  await sink.flush("urn:platform:job:a");
  await sink.flush("urn:platform:job:b");
  await flushLogs();
  const lines = logs.map((line) => JSON.parse(line)).filter(({ job_id }) => job_id === "urn:platform:job:a");
  expect(lines.filter(({ msg }) => msg === "event refused").length).toBe(1);
  expect(lines.flatMap(({ lost }) => lost ?? [])).toEqual(isSlow ? [1, 300] : [300]);
  expect(logs.filter((line) => line.includes('"event refused"')).length).toBe(2);
});

test("losses that nobody waits for are remembered of a thousand jobs", async () => {
  const { sink, clock, logs } = scene(() => 400);
  for (let n = 0; n < 1001; n++) {
    for (let number = 1; number <= 2; number++) {
      sink.emit(source(String(n)), event(number));
      await clock.settle();
    }
  }
  await flushLogs();
  const counts = (): unknown[] => logs.map((line) => JSON.parse(line)).filter(({ lost }) => lost === 2);
  expect(counts()).toMatchObject([{ job_id: "urn:platform:job:0" }]);
  await sink.close();
  await flushLogs();
  expect(counts().length).toBe(1001);
});

test("a stale attempt says nothing more", async () => {
  const { sink, client } = scene(() => 409);
  for (let n = 1; n <= 5; n++) sink.emit(source("a"), event(n));
  await sink.flush("urn:platform:job:a");
  expect(client.requests.length).toBe(1);
});

const wholeJob = "urn:platform:job:a";

function attempt(number: number): EventSource {
  return {
    ...source("a", `Bearer ${number}`),
    attempt: { id: wholeJob, headers: { "Job-Attempt": String(number) } },
  };
}

function sent(client: Scene["client"]): unknown[] {
  return client.requests.map(({ headers, body }) => [
    headers?.["Authorization"],
    headers?.["Job-Attempt"],
    (JSON.parse(String(body)) as JsonObject)["sequence"],
  ]);
}

test("another attempt of a job: nothing waits of the one before, and its fate is not shared", async () => {
  const [one, two] = [attempt(1), attempt(2)];
  const { sink, client, logs } = scene((count) => {
    if (count !== 2) return 204;
    for (let n = 1; n <= 3; n++) sink.emit(two, event(n));
    return 409;
  });
  for (let n = 1; n <= 4; n++) sink.emit(one, event(n));
  await sink.flush(wholeJob);
  expect(sent(client)).toEqual([
    ["Bearer 1", "1", 1],
    ["Bearer 1", "1", 2],
    ["Bearer 2", "2", 1],
    ["Bearer 2", "2", 2],
    ["Bearer 2", "2", 3],
  ]);
  await flushLogs();
  expect(logs.join("")).not.toContain("lost");
});

test("another attempt does not wait for the next try of the one before; whoever waits for the job waits for it", async () => {
  const { sink, clock, client } = scene((count) => (count === 1 ? 503 : 204));
  sink.emit(attempt(1), event(1));
  let flushed = false;
  void sink.flush(wholeJob).then(() => (flushed = true));
  await clock.settle();
  expect([sent(client), flushed]).toEqual([[["Bearer 1", "1", 1]], false]);
  sink.emit(attempt(2), event(1));
  await clock.settle();
  expect([sent(client).slice(1), flushed]).toEqual([[["Bearer 2", "2", 1]], true]);
});

test("bounded: progress goes first, steps get what is left, and the loss is counted", async () => {
  const { sink, clock, client, accepted, logs } = scene(() => (clock.now() === 0 ? "unreachable" : 204), {
    count: 100,
    size: 1e6,
  });
  for (let n = 1; n <= 200; n++) sink.emit(source("a"), event(n));
  for (let n = 201; n <= 220; n++) sink.emit(source("b"), event(n, start));
  await clock.advance(5000);
  expect(accepted.filter((text) => text.startsWith("a"))).toEqual(Array.from({ length: 90 }, (_, n) => `a ${n + 1}`));
  expect(accepted.filter((text) => text.startsWith("b"))).toEqual(Array.from({ length: 10 }, (_, n) => `b ${n + 201}`));
  await flushLogs();
  expect(
    logs
      .map((line) => JSON.parse(line).lost)
      .filter((lost) => lost !== undefined)
      .toSorted(),
  ).toEqual([10, 110]);
  expect(client.requests.length).toBe(102);
  sink.emit(source("a"), event(221));
  await clock.advance(0);
  expect(accepted.at(-1)).toBe("a 221");
});

test("bounded by size too: large events are dropped, their loss is logged, and delivered ones make room", async () => {
  const { sink, clock, accepted, logs } = scene(() => (clock.now() === 0 ? "unreachable" : 204), {
    count: 100,
    size: 100_000,
  });
  const large = (sequence: number, length: number): JobEvent => {
    const body: JsonObject = { $schema: generic, sequence, text: "x".repeat(length) };
    return { sequence, timestamp: "", body, publicBody: body };
  };
  for (let n = 1; n <= 20; n++) sink.emit(source("a"), large(n, 10_000));
  sink.emit(source("a"), event(21, start));
  await clock.advance(5000);
  expect(accepted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 21].map((n) => `a ${n}`));
  await flushLogs();
  expect(logs.map((line) => JSON.parse(line)).map(({ msg, lost }) => [msg, lost])).toEqual([
    ["event dropped: too many events wait for the sidecar", undefined],
    ["event not delivered yet, trying again", undefined],
    ["events of the job were lost", 12],
  ]);
  for (let n = 22; n <= 29; n++) sink.emit(source("a"), large(n, 10_000));
  sink.emit(source("a"), large(30, 100_000));
  await clock.advance(0);
  expect(accepted.slice(9)).toEqual([22, 23, 24, 25, 26, 27, 28, 29].map((n) => `a ${n}`));
});

test("a result waits for its events for ever when nobody is there, and 30 s when somebody refuses to take them", async () => {
  const nobody = scene(() => "unreachable");
  nobody.sink.emit(source("a"), event(1));
  let flushed = false;
  void nobody.sink.flush("urn:platform:job:a").then(() => (flushed = true));
  await nobody.clock.advance(3_600_000);
  expect(flushed).toBe(false);
  const somebody = scene(() => 500);
  somebody.sink.emit(source("a"), event(1));
  const before = somebody.clock.now();
  let after = 0;
  void somebody.sink.flush("urn:platform:job:a").then(() => (after = somebody.clock.now()));
  await somebody.clock.advance(3_600_000);
  expect(after - before).toBeGreaterThanOrEqual(30_000);
  expect(after - before).toBeLessThan(61_000);
});

test.each<readonly [string, Scripted, number]>([
  ["delivered", 204, 0],
  ["refused", 400, 0],
  ["stale", 409, 0],
  ["unreachable", "unreachable", 0],
  ["no answer", "never", 1000],
])("a caller waits until its events are through, and never for long: %s", async (_, said, expected) => {
  const { sink, clock } = scene(() => said);
  expect(sink.catchUp(wholeJob)).toBeUndefined();
  for (let n = 1; n <= 3; n++) sink.emit(source("a"), event(n));
  const before = clock.now();
  let after: number | undefined;
  void sink.catchUp(wholeJob)?.then(() => (after = clock.now()));
  await clock.advance(expected);
  expect((after ?? NaN) - before).toBe(expected);
  // While a sidecar that did not take one is left alone nobody waits at all.
  expect(sink.catchUp(wholeJob) === undefined).toBe(said !== "never");
  void sink.close();
  await clock.advance(1);
});

test("close: what can be delivered in time is, the rest is given up and counted", async () => {
  const { sink, clock, accepted, logs } = scene((count) => (count < 3 ? 204 : "never"));
  for (let n = 1; n <= 5; n++) sink.emit(source("a"), event(n));
  let closed = false;
  void sink.close(2000).then(() => (closed = true));
  await clock.advance(1999);
  expect([closed, accepted]).toEqual([false, ["a 1", "a 2"]]);
  await clock.advance(1);
  expect(closed).toBe(true);
  await flushLogs();
  expect(logs.flatMap((line) => JSON.parse(line).lost ?? [])).toEqual([3]);
  sink.emit(source("a"), event(6));
  await clock.advance(10_000);
  expect(accepted.length).toBe(2);
});

test("emitting costs less than 5 µs", () => {
  const { sink } = scene(() => "never", { count: 1_000_000, size: 1e9 });
  const [from, one] = [source("a"), event(1)];
  for (let n = 0; n < 10_000; n++) sink.emit(from, one);
  const before = processorTime();
  for (let n = 0; n < 100_000; n++) sink.emit(from, one);
  expect((processorTime() - before) / 100).toBeLessThan(5);
});
