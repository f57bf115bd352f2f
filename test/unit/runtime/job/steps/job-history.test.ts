import { expect, test } from "vitest";
import { keysBefore } from "../../../../../runtime/job/steps/job-history.ts";
import type { StoredStep } from "../../../../../runtime/job/steps/kept-step.ts";

function step(key: string, startedAt: number, endedAt: number): StoredStep {
  return { key, state: "done", attempt: 1, tries: 0, fingerprint: "", startedAt, endedAt };
}

test("a run from a step on has the results of earlier steps, without those of the same millisecond", () => {
  const steps = [step("charge", 1, 1), step("alpha", 2, 2), step("ship[1]", 2, 2), step("mail", 3, 3)];
  expect(keysBefore({ steps, messages: [] }, "ship")).toEqual(["charge"]);
  expect(keysBefore({ steps, messages: [] }, "mail")).toEqual(["charge", "alpha", "ship[1]"]);
  expect(keysBefore({ steps, messages: [] }, "charge")).toEqual([]);
});

test("a step that ran beside the first one of a new run runs again", () => {
  const steps = [step("before", 1, 2), step("beside", 2, 9), step("from", 3, 4), step("behind", 5, 6)];
  expect(keysBefore({ steps, messages: [] }, "from")).toEqual(["before"]);
});
