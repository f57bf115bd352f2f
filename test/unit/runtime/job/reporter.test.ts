import { beforeEach, expect, test } from "vitest";
import { ValueError } from "../../../../runtime/base/errors.ts";
import { BaseEvent, GenericErrorEvent } from "../../../../runtime/job/event.ts";
import type { JobSpan, StepSpan } from "../../../../runtime/job/job-span.ts";
import { EventReporter } from "../../../../runtime/job/reporter.ts";
import { createExecutor } from "../../../../runtime/executor/job-executor.ts";
import type { JobContext } from "../../../../runtime/executor/run/job-context.ts";
import type { JobEvent } from "../../../../runtime/job/job.ts";
import { createMemoryStore } from "../../../../runtime/executor/store/memory/memory.ts";
import { loggingInit } from "../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../support/fake-tool.ts";

const schema = "urn:platform:schema:service.event.";
beforeEach(() => loggingInit({ write: () => {} }));

/** Reports of a job, as its listeners and its sink see it. */
async function reported(call: (report: EventReporter, job: JobContext) => unknown): Promise<JobEvent[]> {
  const tool = fakeTool((_: unknown, job: JobContext) => call(job.report, job), { resultKind: "none" });
  const sunk: JobEvent[] = [];
  const executor = createExecutor({
    tools: [tool],
    store: createMemoryStore(),
    sinks: [{ emit: (_, event) => sunk.push(event) }],
  });
  const job = executor.start({ tool, input: {} });
  await job.done;
  const seen: JobEvent[] = [];
  job.onEvent((event) => seen.push(event));
  expect(seen).toEqual(sunk);
  return seen;
}

/** Bodies without what differs from run to run. */
async function bodies(call: (report: EventReporter) => unknown): Promise<unknown[]> {
  const events = await reported(call);
  expect(events.map(({ sequence, body }) => [sequence, body["sequence"]])).toEqual(
    events.map((_, at) => [at + 1, at + 1]),
  );
  for (const { timestamp, body } of events) {
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Object.keys(body)[0]).toBe("$schema");
    expect(body["timestamp"]).toBe(timestamp);
  }
  return events.map(({ body }) => {
    const { timestamp: _timestamp, sequence: _sequence, stacktrace: _stacktrace, ...rest } = body;
    return rest;
  });
}

test("a step as a callback: start with the message last, info, explicit finish", async () => {
  const seen = await bodies((report) =>
    report.step("work", { message: "starting", extra: 1 }, async (step) => {
      step.info({ progress: 50 });
      await Promise.resolve();
      step.finished({ message: "done", loops: 3 });
    }),
  );
  expect(JSON.stringify(seen)).toBe(
    JSON.stringify([
      { $schema: `${schema}step.start.1`, name: "work", options: { extra: 1, message: "starting" } },
      { $schema: `${schema}generic.1`, name: "work", options: { progress: 50 } },
      { $schema: `${schema}step.finish.1`, name: "work", options: { loops: 3, message: "done" } },
    ]),
  );
});

test("a step that is just left: finish without options; no options: an empty object", async () => {
  const left = [
    { $schema: `${schema}step.start.1`, name: "two", options: {} },
    { $schema: `${schema}step.finish.1`, name: "two", options: null },
  ];
  expect(await bodies((report) => report.step("two", () => 1))).toEqual(left);
  expect(await bodies(async (report) => report.step("two", {}, async () => 1))).toEqual(left);
  expect(
    await bodies((report) => {
      using step = report.step("two");
      void step;
    }),
  ).toEqual(left);
  expect(
    await bodies((report) => {
      report.stepStarted("two");
      report.stepFinished("two", { message: "" });
    }),
  ).toEqual([left[0], { ...left[1], options: {} }]);
});

test("a step gives what its callback gives, and throws what it throws", async () => {
  await reported((report) => {
    expect(report.step("a", () => 7)).toBe(7);
    expect(() =>
      report.step("a", () => {
        throw new RangeError("x");
      }),
    ).toThrow(RangeError);
  });
});

test("left by an exception: step error with frames, no finish; callers see neither frames nor a foreign text", async () => {
  for (const [error, text] of [
    [new TypeError("secret"), "The step failed. The service's log has the reason."],
    [new ValueError("bad"), "bad"],
  ] as const) {
    const [, event, ...more] = await reported((report) =>
      report.step("work", {}, async () => {
        throw error;
      }),
    );
    expect(more).toEqual([]);
    expect(event?.body).toMatchObject({ $schema: `${schema}step.error.1`, error: error.message, context: "work" });
    expect(String(event?.body["stacktrace"])).toContain("reporter.test.ts");
    expect(event?.publicBody).toEqual({
      $schema: `${schema}step.error.1`,
      error: text,
      context: "work",
      timestamp: event?.timestamp,
      sequence: 2,
    });
  }
});

test("step.error does not end the step", async () => {
  const seen = await bodies((report) => report.step("work", (step) => step.error("odd", "row 3")));
  expect(seen.slice(1)).toEqual([
    { $schema: `${schema}step.error.1`, error: "odd", context: "row 3" },
    { $schema: `${schema}step.finish.1`, name: "work", options: null },
  ]);
});

class TokenEvent extends BaseEvent {
  static override readonly SCHEMA: string = "urn:example:schema:token.1";
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
}

test("own events carry their own schema; without one their class cannot be used", async () => {
  const seen = await bodies((report) => {
    report.emit(new TokenEvent("a"));
    report.step("s", (step) => step.info(new TokenEvent("b")));
    report.emit(new GenericErrorEvent("odd"));
  });
  expect([seen[0], seen[2], seen[4]]).toEqual([
    { $schema: "urn:example:schema:token.1", text: "a" },
    { $schema: "urn:example:schema:token.1", text: "b" },
    { $schema: `${schema}error.1`, error: "odd", context: null },
  ]);
  class Bare extends BaseEvent {}
  expect(() => new Bare()).toThrow(
    new TypeError('Event class Bare has no schema: add static override readonly SCHEMA = "urn:…" to it.'),
  );
});

test("values that JSON cannot hold become strings and never break a job", async () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const options = {
    big: 12n,
    nan: Number.NaN,
    fn: Math.max,
    symbol: Symbol("s"),
    none: undefined,
    nothing: null,
    date: new Date(0),
    bad: new Date(Number.NaN),
    error: new Error("e"),
    map: new Map([["k", 1]]),
    set: new Set([1]),
    bytes: new Uint8Array([1, 2]),
    list: [undefined, 1n],
    cycle,
    proxy: revoked.proxy,
    throwing: {
      toJSON() {
        throw new Error("no");
      },
    },
    getter: {
      get x() {
        throw new Error("no");
      },
    },
  };
  const [body] = await bodies((report) => report.stepStarted("s", options));
  expect((body as { options: unknown }).options).toEqual({
    big: "12",
    nan: "NaN",
    fn: "function max() { [native code] }",
    symbol: "Symbol(s)",
    nothing: null,
    date: "1970-01-01T00:00:00.000Z",
    bad: "Invalid Date",
    error: "Error: e",
    map: { k: 1 },
    set: [1],
    bytes: "AQI=",
    list: [null, "1"],
    cycle: { self: "[object Object]" },
    proxy: "[not printable]",
    throwing: "[object Object]",
    getter: "[object Object]",
  });
});

test("an event is a snapshot, and none comes after the end", async () => {
  const rows = [1];
  let late = (): void => {};
  const events = await reported((report) => {
    report.stepStarted("s", { rows });
    rows.push(2);
    late = () => report.stepStarted("late");
  });
  late();
  expect(events.map(({ body }) => body["options"])).toEqual([{ rows: [1] }]);
});

test("a job keeps its last thousand events for those who come late; sinks get all", async () => {
  const tool = fakeTool(
    (_: unknown, job: JobContext) => {
      for (let at = 0; at < 1500; at++) job.report.stepStarted("s");
    },
    { resultKind: "none" },
  );
  let sunk = 0;
  const executor = createExecutor({ tools: [tool], store: createMemoryStore(), sinks: [{ emit: () => sunk++ }] });
  const seen: number[] = [];
  executor.start({ tool, input: {} }).onEvent(({ sequence }) => seen.push(sequence));
  expect([sunk, seen.length, seen[0], seen.at(-1)]).toEqual([1500, 1000, 501, 1500]);
});

test("a step lasts as long as its thenable, which need not be a promise", async () => {
  const query = (run: () => Promise<unknown>): PromiseLike<unknown> => ({
    // oxlint-disable-next-line unicorn/no-thenable -- queries of Prisma, Knex and others have it
    then: (...handlers) => run().then(...handlers),
  });
  const seen = await bodies(async (report) => {
    await report.step("good", (step) => query(async () => step.info({ rows: 1 })));
    await report.step("bad", () => query(async () => Promise.reject(new ValueError("gone"))));
  });
  expect(seen.slice(0, 5)).toEqual([
    { $schema: `${schema}step.start.1`, name: "good", options: {} },
    { $schema: `${schema}generic.1`, name: "good", options: { rows: 1 } },
    { $schema: `${schema}step.finish.1`, name: "good", options: null },
    { $schema: `${schema}step.start.1`, name: "bad", options: {} },
    { $schema: `${schema}step.error.1`, error: "gone", context: "bad" },
  ]);
});

test("two open steps of one name each have a span that ends", () => {
  const ended: number[] = [];
  let count = 0;
  const startStep = (): StepSpan => {
    const number = (count += 1);
    return { run: (callback) => callback(), failed() {}, end: () => void ended.push(number) };
  };
  const report = new EventReporter(() => {}, { startStep } as unknown as JobSpan);
  report.stepStarted("page");
  report.stepStarted("page");
  for (let times = 0; times < 3; times += 1) report.stepFinished("page");
  expect(ended).toEqual([1, 2]);
});
