import { expect, test } from "vitest";
import { type ListRow, toListedJob } from "../../../../../runtime/executor/store/list-rows.ts";
import { phase } from "../../../../../runtime/executor/store/phase.ts";

const row: ListRow = {
  seq: 7,
  id: "a",
  phase: phase.pending,
  attempt: 1,
  tool: "echo",
  traceparent: null,
  outcome: null,
  started: null,
  ended: null,
  failure: null,
  asked: null,
};
const listed = { seq: 7, id: "urn:platform:job:a", tool: "echo", attempt: 1, isDead: false, state: "pending" };

test("a row has what is known of its job, and nothing else", () => {
  expect(toListedJob(row)).toEqual(listed);
  expect(toListedJob({ ...row, phase: phase.executing, traceparent: "00-1", started: 5, asked: '{"a":1}' })).toEqual({
    ...listed,
    state: "executing",
    traceparent: "00-1",
    startedAt: 5,
    request: '{"a":1}',
  });
  // The attempt before it waited again has begun; this one has not.
  expect(toListedJob({ ...row, phase: phase.delayed, started: 5 })).toEqual(listed);
  expect(toListedJob({ ...row, asked: "x".repeat(301) }).request).toBe(`${"x".repeat(299)}…`);
});

test.each(["json", "text", "binary"] as const)("a result of the kind %s is a success", (outcome) => {
  const ended = { ...row, phase: phase.ended, outcome, started: 0, ended: 9 };
  expect(toListedJob(ended)).toEqual({ ...listed, state: "succeeded", startedAt: 0, endedAt: 9 });
});

test("an error is read from the beginning of its JSON, wherever that is cut", () => {
  const errorOf = (failure: string | Uint8Array) =>
    toListedJob({ ...row, phase: phase.dead, outcome: "error", ended: 9, failure }).error;
  const json = JSON.stringify({ kind: "user-input", message: 'é "q" \\ \u0001 end', problems: [] });
  const whole = { kind: "user-input", message: 'é "q" \\ \u0001 end' };
  expect(errorOf(json)).toEqual(whole);
  expect(errorOf(Buffer.from(json))).toEqual(whole);
  const start = json.indexOf("é");
  for (let end = start; end < json.length; end++) {
    const message = errorOf(json.slice(0, end))?.message;
    expect([end, message !== undefined && whole.message.startsWith(message)]).toEqual([end, true]);
  }
  expect([errorOf("{"), errorOf("odd"), errorOf('{"message":"x"')]).toEqual([undefined, undefined, undefined]);
  expect(toListedJob({ ...row, phase: phase.dead, outcome: "error", failure: json })).toMatchObject({
    isDead: true,
    state: "error",
  });
});
