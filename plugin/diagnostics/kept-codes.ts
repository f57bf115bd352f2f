import type { CodeEntry } from "./code-entry.ts";

export type KeptCode = "TN122" | "TN123" | "TN124" | "TN125" | "TN126" | "TN127" | "TN132" | "TN133";

/** Codes 1xx: steps, sleeps and waits, whose results are kept. */
export const keptCodes: Readonly<Record<KeptCode, CodeEntry>> = {
  TN122: {
    level: "error",
    title: "Step has no fixed name",
    explain:
      "The result of a step is stored under the name of the step, and later attempts find it by that name, also " +
      "after a new build. So the name must be a literal in the code: at most 64 letters, digits, spaces, `_`, `.` " +
      "and `-`. What varies goes into the `key` of the options. The same applies to the name of a message for " +
      "`job.wait`.",
  },
  TN123: {
    level: "error",
    title: "Two steps have one name",
    explain:
      "Results are stored by name, so one of the two calls would get the result of the other. The same holds for two " +
      "functions that one tool calls. Give each call its own name. A `key` is not enough: it distinguishes only several runs of the same call, as in a loop.",
  },
  TN124: {
    level: "error",
    title: "Step in a loop has no key",
    explain:
      "The step has the same name in each turn of the loop, so the second turn would get the stored result of the " +
      "first. Give it a `key` that differs from turn to turn and does not depend on the order, such as an item's id.",
  },
  TN125: {
    level: "error",
    title: "Result of a step is not data",
    explain:
      "The result of a step is stored and read back, even in the first attempt. Functions, methods, symbols, " +
      "streams, and values of type `any` or `unknown` cannot be restored in this way. Return data, such as an id, " +
      "and create the object outside of the step. The message of `job.wait` must have a type, and be data for the same reason.",
  },
  TN126: {
    level: "error",
    title: "Step changes a variable outside of it",
    explain:
      "If an attempt finds the stored result of a step, it does not run the function of the step, so a change of a " +
      "variable outside would be missing. Return the value from the step, and change the variable with the result.",
  },
  TN127: {
    level: "error",
    title: "Long wait within a block that must end",
    explain:
      "A job that waits for more than a minute leaves its process. Later it runs again from the start of its " +
      "function, perhaps in another process. So the end of a block around the wait (`finally`, `using`, a step) is " +
      "not reached, also if the wait is in a function that is called in the block. End the block before the wait, and begin another one after it if needed.",
  },
  TN132: {
    level: "error",
    title: "Option of a wait is not fixed",
    explain:
      "Whoever sends a message must have the `scope` of its wait, and give its `key` if it has one. The service tells " +
      "and checks this by its definition, which the build writes. So the scope must be one text: a literal, a constant, " +
      "or a value whose type is one literal. And a wait always has a key, or never. Both may be in options that a " +
      "constant holds or that are spread, but not in a parameter, or in options that are there in some cases only.",
  },
  TN133: {
    level: "error",
    title: "Method of the job is not called on it",
    explain:
      "The build adds to each call of `job.step`, `job.wait` and `job.ask` how its value is checked, written and read, " +
      "and counts sleeps and waits. So it has to see the calls: a method that is put into a variable, taken from the job by " +
      '`const { step } = job`, or passed on would fail when it is called. `job["step"](…)` is a call. Pass the ' +
      "whole job to functions that need it.",
  },
};
