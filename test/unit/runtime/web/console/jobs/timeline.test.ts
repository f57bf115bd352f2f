import { expect, test } from "vitest";
import { timelineOf } from "../../../../../../runtime/web/console/jobs/timeline.ts";
import { readJob } from "../../../../../../runtime/web/console/client/read-jobs.ts";

const at = "2026-03-01T12:00:00.000Z";
const begun = {
  number: 1,
  type: "platform.job.event",
  at: Date.parse(at),
  data: { $schema: "urn:platform:event.step.start.1", name: "look" },
  raw: {},
};

test.each([
  ["cancelled", "stopped"],
  ["error", "failed"],
  ["succeeded", "done"],
  ["executing", "running"],
])("the attempt of a job that is %s is %s, and a step that the job did not end is stopped", (status, state) => {
  const isOver = status !== "executing";
  const job = readJob({ id: "1", status, "started-at": at, ...(isOver && { "finished-at": at }) });
  expect(timelineOf(job, [begun], []).map((row) => [row.name, row.state])).toEqual([
    ["Attempt 1", state],
    ["look", isOver ? "stopped" : "running"],
  ]);
});

test("a step that a cancellation ended is stopped, one that failed before is failed", () => {
  const reason = "The caller cancelled the job.";
  const failed = (context: string, error: string, number: number): typeof begun => {
    const data = { $schema: "urn:platform:event.step.error.1", name: context, error };
    return { ...begun, number, data };
  };
  const events = [
    begun,
    failed("look", "No file.", 2),
    { ...begun, number: 3, data: { ...begun.data, name: "wait" } },
    failed("wait", reason, 4),
  ];
  const times = { "started-at": at, "finished-at": at };
  const states = (job: object): readonly string[] =>
    timelineOf(readJob({ id: "1", ...times, ...job }), events, []).map(({ state }) => state);
  expect(states({ status: "cancelled", "error-message": reason })).toEqual(["stopped", "failed", "stopped"]);
  expect(states({ status: "cancelled" })).toEqual(["stopped", "failed", "failed"]);
  expect(states({ status: "error", "error-message": reason })).toEqual(["failed", "failed", "failed"]);
});

const time = (seconds: number): string => new Date(Date.parse(at) + seconds * 1000).toISOString();
const start = (name: string, number: number, seconds: number): typeof begun => ({
  ...begun,
  number,
  at: Date.parse(time(seconds)),
  data: { ...begun.data, name },
});
const end = (name: string, number: number, seconds: number): typeof begun => {
  const started = start(name, number, seconds);
  return { ...started, data: { ...started.data, $schema: "urn:platform:event.step.finish.1" } };
};

test("a parked job has its sleeps, waits and messages as rows, and each part of an attempt has a number", () => {
  const job = readJob({
    id: "1",
    status: "pending",
    attempts: [
      { attempt: 1, status: "parked", "started-at": time(0), "finished-at": time(1), "last-event": 2 },
      { attempt: 1, status: "parked", "started-at": time(4), "finished-at": time(5), "last-event": 2 },
    ],
  });
  const steps = [
    { step: "charge", state: "done", attempt: 1, started: time(0), ended: time(0.5) },
    { step: "~sleep:1", state: "done", attempt: 1, started: time(0.5), ended: time(4) },
    { step: "~wait:approval", state: "running", attempt: 1, started: time(4.5), until: time(900) },
    { step: "~sleep:copied", state: "done", attempt: 0, started: time(-90), ended: time(-80) },
  ];
  const sent = [{ message: "other", sent: time(2), begins: '{"approved":true}' }];
  const events = [start("charge", 1, 0), end("charge", 2, 0.5)];
  const rows = timelineOf(job, events, [], { steps, sent });
  expect(rows.map(({ name, depth, state, isStart }) => [name, depth, state, isStart])).toEqual([
    ["Attempt 1", 0, "done", undefined],
    ["charge", 1, "done", true],
    ["sleep", 1, "done", undefined],
    ["message other", 1, "done", undefined],
    ["Attempt 1, part 2", 0, "done", undefined],
    ["wait for approval", 1, "waiting", undefined],
  ]);
  expect(rows[2]).toMatchObject({
    from: Date.parse(time(0.5)),
    to: Date.parse(time(4)),
    message: "began at 12:00:00.500 UTC",
  });
  expect(rows[3]?.message).toBe('sent at 12:00:02.000 UTC: {"approved":true}');
  expect(rows[5]?.message).toMatch(/^since 12:00:04.500 UTC at most until .+/);
});

test("of a job that has ended, a wait that lost a race is stopped, and says so", () => {
  const job = readJob({ id: "1", status: "succeeded", "started-at": time(0), "finished-at": time(9) });
  const steps = [{ step: "~wait:approval", state: "unneeded", attempt: 1, started: time(4) }];
  expect(timelineOf(job, [], [], { steps })[1]).toMatchObject({
    state: "stopped",
    message: "began at 12:00:04.000 UTC, and was not needed any more",
  });
});

test("a job can run again from its stored steps, from the first of several tries", () => {
  const job = readJob({ id: "1", status: "error", "started-at": time(0), "finished-at": time(9) });
  const events = [start("look", 1, 0), start("ship", 2, 1), end("ship", 3, 2), start("ship", 4, 3), end("ship", 5, 4)];
  const history = { steps: [{ step: "ship", state: "failed", attempt: 1, started: time(1), ended: time(4) }] };
  const starts = (given?: object): unknown =>
    timelineOf(job, events, [], { ...given }).map((row) => row.isStart ?? false);
  expect(starts(history)).toEqual([false, false, true, false]);
  expect(starts()).toEqual([false, false, false, false]);
});

test("requests and spans are below the span or the step in which they began, and a host is named once", () => {
  const job = readJob({ id: "1", status: "succeeded", "started-at": time(0), "finished-at": time(9) });
  const events = [start("pages", 1, 0), start("beside", 2, 0.5), end("pages", 3, 8), end("beside", 4, 8)];
  const request = (path: string, seconds: number, more: object): object => ({
    kind: "request",
    name: `GET http://shop.example${path}`,
    from: Date.parse(time(seconds)),
    took: 5,
    status: 200,
    ...more,
  });
  const span = (name: string, seconds: number, id: string): object => ({
    kind: "span",
    name,
    id,
    step: 1,
    from: Date.parse(time(seconds)),
    took: 5000,
  });
  const long = `/${"d/".repeat(30)}last`;
  const notes = [
    request("/1", 2, { span: "a" }),
    request("/2", 3, { span: "b" }),
    request(long, 4, { step: 1, status: undefined, error: "lost" }),
    request("/late", 8.5, {}),
    span("parse 1", 1, "a"),
    span("parse 2", 1.5, "b"),
  ];
  const rows = timelineOf(job, events, notes as never);
  expect(rows.map(({ name, depth, message }) => [depth, name, message])).toEqual([
    [0, "Attempt 1", "succeeded"],
    [1, "pages", undefined],
    [2, "beside", undefined],
    [2, "parse 1", ""],
    [3, "200 GET /1", "http://shop.example/1"],
    [2, "parse 2", ""],
    [3, "200 GET /2", ""],
    [2, `GET …${long.slice(-35)}`, `lost · http://shop.example${long}`],
    [1, "200 GET /late", ""],
  ]);
});
