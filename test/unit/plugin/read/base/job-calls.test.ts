import { expect, test } from "vitest";
import { jobCalls } from "../../../../../plugin/read/base/job-calls.ts";

test.each([
  "await job.ask<boolean>('Go?')",
  'await context["wait"] <string>("x")',
  "job.step('a', run)",
  "const { step } = job;",
  "const { signal, sleep: pause } = getJobContext();",
  "function help({ report, wait }: JobContext) {}",
  "const once = job.step;",
])("a module with %s is read", (text) => {
  expect(text).toMatch(jobCalls);
});

test.each([
  "job.report.step('a')",
  "job.sleep('1 day')",
  "const { signal } = job;",
  "const all = { step: 1, wait: 2 };",
  "if (ready) { wait(); }",
])("a module with %s is not read for it", (text) => {
  expect(text).not.toMatch(jobCalls);
});
