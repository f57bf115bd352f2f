import { expect, test } from "vitest";
import { StoredJob } from "../../../../../runtime/executor/kept/stored-job.ts";
import type { JobRecord } from "../../../../../runtime/executor/store/job-store.ts";
import type { JobEvent, JobOutcome } from "../../../../../runtime/job/job.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

const event = (sequence: number) => ({ sequence, body: { name: `event ${sequence}`, timestamp: "2026-01-01" } });
const problem = { path: "/a", message: "b", expected: "c" };
const record: JobRecord = {
  id: "urn:platform:job:a",
  tool: "echo",
  state: "executing",
  attempt: 1,
  events: [event(1)],
};

function open(first: JobRecord = record) {
  let followed = 0;
  const job = new StoredJob(
    first,
    fakeTool(() => 1),
    () => followed++,
  );
  const listen = (): number[] => {
    const heard: number[] = [];
    job.onEvent(({ sequence }: JobEvent) => heard.push(sequence));
    return heard;
  };
  return { job, listen, follows: () => followed };
}

test("whoever listens first, and whoever listens later, hears each event once", () => {
  const { job, listen, follows } = open();
  expect([job.hearsEvents, follows()]).toEqual([false, 0]);
  const first = listen();
  expect([first, job.hearsEvents, follows()]).toEqual([[1], true, 1]);
  job.update({ ...record, events: [event(1), event(2)] });
  const second = listen();
  job.update({ ...record, events: [event(1), event(2), event(3)] });
  expect([first, second]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test("an ended job has its events and its outcome, and is not followed", () => {
  const { job, listen, follows } = open({
    ...record,
    state: "failed",
    outcome: {
      state: "failed",
      error: { kind: "user-input", message: "no", problems: [problem] },
    },
  } as JobRecord);
  const ends: JobOutcome[] = [];
  job.onEnd((outcome) => ends.push(outcome));
  expect([listen(), job.hearsEvents, follows(), ends]).toMatchObject([
    [1],
    false,
    0,
    [{ state: "failed", error: { kind: "user-input", message: "no", problems: [problem] } }],
  ]);
});

test("the end is reported once, with the events before it; what comes later changes nothing", () => {
  const { job, listen } = open();
  const heard = listen();
  const ends: JobOutcome[] = [];
  job.onEnd((outcome) => ends.push(outcome));
  const ended: JobRecord = {
    ...record,
    state: "succeeded",
    events: [event(1), event(2)],
    outcome: { state: "succeeded", result: { kind: "json", json: "1" } },
  };
  job.update(ended);
  job.update({ ...ended, events: [...ended.events, event(3)] });
  job.update(undefined);
  job.cancel();
  expect([heard, ends, job.state]).toEqual([
    [1, 2],
    [{ state: "succeeded", result: { kind: "json", json: "1" } }],
    "succeeded",
  ]);
});

test("a job that the store has dropped ends as not found, after which its events are still there", () => {
  const { job, listen } = open();
  const ends: JobOutcome[] = [];
  job.onEnd((outcome) => ends.push(outcome));
  job.update(undefined);
  expect([job.state, ends, listen()]).toMatchObject(["error", [{ state: "error", error: { kind: "not-found" } }], [1]]);
});

test("open questions and what a job waits for are those of its last record", () => {
  const go = { method: "elicitation/create", params: {} } as const;
  const talk = { capabilities: {}, asked: { go: "1" }, answers: {}, open: { go }, seen: 0 };
  const { job } = open({ ...record, talk, waiting: { waits: ["approval"] } } as JobRecord);
  expect([job.questions, job.waitsFor]).toMatchObject([{ go }, { message: "approval" }]);
  job.update(record);
  expect([job.questions, job.waitsFor]).toEqual([undefined, undefined]);
});
