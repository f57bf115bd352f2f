import { expect, test } from "vitest";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { recordedJob } from "../../../../../runtime/kits/testing/recorded-job.ts";

const codec = {
  fingerprint: "f",
  optional: true,
  decode: (wire: unknown): unknown => (typeof wire === "string" ? new Date(wire) : wire),
};

/** Calls a method as the build has it: with its codec. */
function call(job: JobContext, method: "step" | "wait", ...args: unknown[]): Promise<unknown> {
  return (job[method] as (...given: unknown[]) => Promise<unknown>).call(job, ...args, codec);
}

test("a job under test finds the failures that it is given, as the history of a job has them", async () => {
  const { job } = recordedJob({
    failed: { charge: { kind: "system", message: "no money" }, "~wait:vote": { kind: "timeout", message: "" } },
  });
  await expect(call(job, "step", "charge", () => 1)).rejects.toMatchObject({ name: "StepError", message: "no money" });
  await expect(call(job, "wait", "vote", {})).rejects.toMatchObject({ name: "WaitTimeoutError" });
});

test("a history in JSON has null for a step that returned undefined", async () => {
  const text = { fingerprint: "f", optional: true, is: (wire: unknown): boolean => typeof wire === "string" };
  const { job } = recordedJob({ kept: { find: null } });
  const found = (job.step as (...given: unknown[]) => Promise<unknown>).call(job, "find", {}, () => "x", text);
  expect(await found).toBeUndefined();
});

test("a job under test finds the steps and messages that it is given, and runs the others", async () => {
  const at = new Date(5);
  const { job } = recordedJob({ kept: { charge: at, "ship[a]": undefined }, messages: { "vote[1]": { yes: true } } });
  let calls = 0;
  const run = (): string => `run ${(calls += 1)}`;
  expect(await call(job, "step", "charge", run)).toEqual(at);
  expect(await call(job, "step", "ship", { key: "a" }, run)).toBeUndefined();
  expect(await call(job, "step", "ship", { key: "b" }, () => calls + 1)).toBe(1);
  expect(await call(job, "wait", "vote", { key: 1 })).toEqual({ yes: true });
  expect(calls).toBe(0);
});
