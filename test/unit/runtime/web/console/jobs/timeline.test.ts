import { expect, test } from "vitest";
import { timelineOf } from "../../../../../../runtime/web/console/jobs/timeline.ts";
import { readJob } from "../../../../../../runtime/web/console/client/job-info.ts";

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
