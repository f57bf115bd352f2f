import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { authorFrame, createCallLines } from "../../../../cli/dev/call-lines.ts";
import { StepError } from "../../../../runtime/job/steps/step-errors.ts";

type ShownJob = Parameters<ReturnType<typeof createCallLines>>[0];

/** A job whose events and end the test gives. */
function fakeJob(name: string): {
  readonly job: ShownJob;
  step(kind: string, step: string, message?: string, error?: string): void;
  end(outcome: Parameters<Parameters<ShownJob["onEnd"]>[0]>[0]): void;
} {
  let event: Parameters<ShownJob["onEvent"]>[0] = () => {};
  let end: Parameters<ShownJob["onEnd"]>[0] = () => {};
  return {
    job: {
      tool: { name },
      onEvent: (listener) => {
        event = listener;
        return () => {};
      },
      onEnd: (listener) => void (end = listener),
    },
    step: (kind, step, message, error) =>
      event({
        body: {
          $schema: `urn:platform:schema:service.event.step.${kind}.1`,
          name: step,
          options: message === undefined ? null : { message },
          ...(error !== undefined && { error }),
        },
      }),
    end: (outcome) => end(outcome),
  };
}

let written = "";
beforeEach(() => {
  written = "";
  vi.useFakeTimers({ toFake: ["performance", "Date"], now: new Date("2030-01-01T10:20:30") });
  vi.stubEnv("NO_COLOR", "1");
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("a call has a line for each step's start and end, and one for its own", () => {
  const { job, step, end } = fakeJob("plan");
  createCallLines()(job);
  step("start", "look", "in the\nfile \u001B[2J");
  vi.advanceTimersByTime(1500);
  step("finish", "look");
  step("error", "other", undefined, "connect\nECONNREFUSED");
  step("info", "look");
  end({ state: "succeeded" });
  expect(written.split("\n")).toEqual([
    "10:20:30   ● plan › look  in the file  [2J",
    "10:20:31   ✓ plan › look  1.50 s",
    "10:20:31   ✕ plan › other  1.50 s  connect ECONNREFUSED",
    "10:20:31 ✓ plan succeeded  1.50 s",
    "",
  ]);
});

test("an error is followed by the author's first frame; a mistake of the caller is not", () => {
  const show = createCallLines();
  const cause = new Error("broken");
  cause.stack =
    "Error: broken\n    at f (node:fs:1:1)\n    at g (/p/node_modules/a/i.js:1:1)\n    at h (/p/src/a.ts:4:2)";
  for (const state of ["error", "failed"]) {
    const { job, end } = fakeJob("plan");
    show(job);
    end({ state, error: { message: "broken", cause } });
  }
  expect(written.split("\n")).toEqual([
    "10:20:30 ✕ plan error  0 ms  broken",
    "           at h (/p/src/a.ts:4:2)",
    "10:20:30 ! plan failed  0 ms  broken",
    "",
  ]);
  expect([authorFrame("text"), authorFrame(undefined)]).toEqual([undefined, undefined]);
});

test("a job that is given up for new code has one line, and is not called failed", () => {
  const { job, end } = fakeJob("plan");
  createCallLines()(job);
  const cause = new Error("aborted");
  cause.stack = "Error: aborted\n    at h (/p/src/a.ts:4:2)";
  end({ state: "error", error: { kind: "draining", message: "The service loaded new code.", cause } });
  expect(written).toBe("10:20:30 – plan interrupted  0 ms  The service loaded new code.\n");
});

test("a refused request says which field was wrong, and how many more", () => {
  const message = "The request does not match its schema.";
  const problems = [
    { path: "/count", message: "Expected integer, got \u001B[2J." },
    { path: "/title", message: "It is missing." },
    { path: "", message: "Odd." },
  ];
  for (const some of [problems, problems.slice(1, 2), problems.slice(2), [], undefined]) {
    const { job, end } = fakeJob("plan");
    createCallLines()(job);
    end({ state: "failed", error: { message, problems: some } });
  }
  expect(written.split("\n")).toEqual([
    "10:20:30 ! plan failed  0 ms  The request does not match its schema: /count Expected integer, got  [2J, and 2 more",
    "10:20:30 ! plan failed  0 ms  The request does not match its schema: /title It is missing",
    "10:20:30 ! plan failed  0 ms  The request does not match its schema: (request) Odd",
    "10:20:30 ! plan failed  0 ms  The request does not match its schema.",
    "10:20:30 ! plan failed  0 ms  The request does not match its schema.",
    "",
  ]);
});

test("the author's first frame is none of the language, nor of modules that the build has written", () => {
  const cause = new SyntaxError("bad");
  cause.stack = `SyntaxError: bad
    at JSON.parse (<anonymous>)
    at fetch (file:///p/.tenon/dev/21326/banner-1.mjs:8:55)
    at badJson (/p/src/a.ts:4:2)`;
  expect(authorFrame(cause)).toBe("at badJson (/p/src/a.ts:4:2)");
});

test("lines of a message are not taken for frames, and a frame does not control the terminal", () => {
  const cause = new Error("no \n    at \u001B[2J (/p/src/fake.ts:1:1)");
  cause.stack = `Error: ${cause.message}\n    at \u001B[2Jh (/p/src/a.ts:4:2)`;
  const { job, end } = fakeJob("plan");
  createCallLines()(job);
  end({ state: "error", error: { message: "broken", cause } });
  expect(written.split("\n")[1]).toBe("           at  [2Jh (/p/src/a.ts:4:2)");
});

test("of a second with many calls forty lines are shown, and the rest is counted", () => {
  const show = createCallLines();
  const call = (): void => {
    const { job, end } = fakeJob("plan");
    show(job);
    end({ state: "succeeded" });
  };
  for (let calls = 0; calls < 100; calls++) call();
  expect(written.split("\n")).toHaveLength(41);
  vi.advanceTimersByTime(1000);
  written = "";
  call();
  expect(written.split("\n")).toEqual(["… 60 more lines in that second", "10:20:31 ✓ plan succeeded  0 ms", ""]);
});

test("the line of a failed step is the one where the step threw", () => {
  const thrown = new Error("no truck");
  thrown.stack = "Error: no truck\n    at ship (/p/src/jobs.ts:30:9)";
  const error = new StepError("ship", { kind: "system", message: "no truck" }, thrown);
  error.stack = "StepError: no truck\n    at order (/p/src/jobs.ts:31:20)";
  expect(authorFrame(error)).toBe("at ship (/p/src/jobs.ts:30:9)");
});
