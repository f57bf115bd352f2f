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
