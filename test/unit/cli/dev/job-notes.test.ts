import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JobNotebook } from "../../../../cli/dev/job-notes.ts";
import { type Frame, readStack } from "../../../../cli/dev/stack-frames.ts";
import type { JsonObject } from "../../../../runtime/contract/contract.ts";
import { createRedactor } from "../../../../runtime/telemetry/log/redact.ts";
import { StepError } from "../../../../runtime/job/steps/step-errors.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** A job whose end the test gives. */
function fakeJob(id: string): {
  id: string;
  onEvent(listener: (event: Event) => void): void;
  onEnd(listener: (outcome: Outcome) => void): void;
  event(sequence: number, error: string, publicError?: string): void;
  end(error?: Error): void;
} {
  let told: (outcome: Outcome) => void = () => {};
  let event: (event: Event) => void = () => {};
  return {
    id,
    onEvent: (listener) => void (event = listener),
    event: (sequence, error, publicError = error) =>
      event({ sequence, body: { error }, publicBody: { error: publicError } }),
    onEnd: (listener) => void (told = listener),
    end: (error) => told({ state: error === undefined ? "succeeded" : "error", ...(error && { error }) }),
  };
}
interface Event {
  readonly sequence: number;
  readonly body: { readonly error: string };
  readonly publicBody: { readonly error: string };
}
type Outcome = { readonly state: string; readonly error?: Error };

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const line = (id: string, message: string, fields = {}) => ({
  time: 1000,
  level: "INFO" as const,
  name: "shop",
  message,
  fields: { job_id: id, tool: "sell", trace_id: "t", span_id: "s", ...fields },
});

test("lines before a job's begin is known count, ids of lines do not, and lines without a job go nowhere", () => {
  const notes = new JobNotebook("/nowhere");
  notes.log(line("urn:1", "early", { shelf: 3 }));
  notes.log({ ...line("urn:1", "an event"), name: "event" });
  notes.log({ ...line("urn:1", "none"), fields: {} });
  notes.begin("urn:1", { origin: "rest", input: { item: "lamp" } });
  expect(notes.of("urn:1")).toEqual({
    request: '{"item":"lamp"}',
    logs: [{ time: 1000, level: "INFO", name: "shop", message: "early", fields: { shelf: 3 } }],
  });
  expect(notes.of("urn:2")).toEqual({ logs: [] });
});

test("the text of an error that callers do not get is noted by the number of its event", () => {
  const notes = new JobNotebook("/nowhere");
  const job = fakeJob("urn:1");
  notes.watch(job);
  job.event(2, "There is no paper.");
  expect(notes.of("urn:1")).toEqual({ logs: [] });
  job.event(4, "connect ECONNREFUSED", "The step failed.");
  expect(notes.of("urn:1").hidden).toEqual({ 4: "connect ECONNREFUSED" });
});

test("only the latest jobs and lines are noted, and no long request", () => {
  const notes = new JobNotebook("/nowhere");
  for (let index = 0; index < 301; index++) notes.begin(`urn:${index}`, { origin: "rest", input: index });
  expect([notes.of("urn:0").request, notes.of("urn:1").request]).toEqual([undefined, "1"]);
  for (let index = 0; index < 250; index++) notes.log(line("urn:300", String(index)));
  const { logs, earlier } = notes.of("urn:300");
  expect([logs.length, earlier, logs[0]?.message, logs.at(-1)?.message]).toEqual([200, 50, "50", "249"]);
  notes.begin("urn:long", { origin: "rest", input: "x".repeat(100_001) });
  expect(notes.of("urn:long").request).toBeUndefined();
});

const project = (): string =>
  temporaryFolder({
    "src/a.ts": "one\ntwo\n  three();\nfour\nfive\nsix\nseven\n",
    "node_modules/b/index.js": "b();\n",
    "notes.txt": "secret\n",
  });

const framesOf = (stack: string, root: string): readonly Frame[] => readStack(stack, { root }, new Set());

test("frames of the project have their source, all others are folded", () => {
  const root = project();
  const stack = [
    "Error: at (looks like) a frame",
    `    at async three (${join(root, "src/a.ts")}:3:5)`,
    `    at b (file://${join(root, "node_modules/b/index.js")}:1:1)`,
    "    at node:internal/process:1:1",
    `    at file://${join(root, "src/a.ts")}:1:1`,
    `    at x (${join(root, "notes.txt")}:1:1)`,
  ].join("\n");
  expect(framesOf(stack, root)).toEqual([
    {
      name: "three",
      place: "src/a.ts:3:5",
      link: `vscode://file${join(root, "src/a.ts")}:3:5`,
      code: "  1 | one\n  2 | two\n> 3 |   three();\n  4 | four\n  5 | five\n  6 | six",
    },
    { folded: [expect.stringMatching(/^at b /), "at node:internal/process:1:1"] },
    expect.objectContaining({ name: "", place: "src/a.ts:1:1" }),
    { folded: [expect.stringContaining("notes.txt")] },
  ]);
});

test("a stack is not drawn over a file that was saved after the build that ran the job", () => {
  const root = project();
  const path = join(root, "src/a.ts");
  const error = new Error("lost");
  error.stack = `Error: lost\n    at three (${path}:3:5)`;
  const notes = new JobNotebook(root);
  const job = fakeJob("urn:1");
  notes.built("urn:1", Date.now());
  notes.watch(job);
  job.end(error);
  const frame = (seconds: number): unknown => {
    utimesSync(path, new Date(), new Date(Date.now() + seconds * 1000));
    return notes.of("urn:1").error?.frames[0];
  };
  expect(frame(-60)).toMatchObject({ place: "src/a.ts:3:5", code: expect.stringContaining("> 3 |") });
  expect(frame(60)).toMatchObject({ place: "src/a.ts:3:5", code: "", isChanged: true });
});

test("a line of the source is shown once in an error and its causes", () => {
  const root = project();
  const notes = new JobNotebook(root);
  const job = fakeJob("urn:1");
  notes.watch(job);
  const errorAt = (message: string, rows: readonly number[], cause?: Error): Error => {
    const error = new Error(message, { cause });
    error.stack = [message, ...rows.map((row) => `    at f (${join(root, "src/a.ts")}:${row}:${message.length})`)].join(
      "\n",
    );
    return error;
  };
  job.end(new Error("The tool failed.", { cause: errorAt("outer", [3, 5, 3], errorAt("in", [5, 6])) }));
  const { error } = notes.of("urn:1");
  const marks = [error, ...(error?.causes ?? [])].map((one) =>
    one?.frames.map((frame) => ("code" in frame ? /> (\d)/.exec(frame.code)?.[1] : frame)),
  );
  expect(marks).toEqual([
    ["3", "5", undefined],
    [undefined, "6"],
  ]);
});

test("a stack in a line of the log has links to its places in the project; its other calls are folded", () => {
  const root = project();
  const notes = new JobNotebook(root);
  const path = join(root, "src/a.ts");
  const own = { link: `vscode://file${path}:3:5`, place: "src/a.ts:3:5", code: "" };
  const logged = [
    "lost",
    "Error: a",
    `    at three (${path}:3:5) {`,
    "    at node:internal/process:1:1",
    "  [cause]: Error: b",
  ];
  notes.log(line("urn:1", [...logged, `    at async ${path}:3:5`, "}"].join("\n")));
  const foreign = "no\nError: a\n    at b (node:internal/a:1:1)";
  notes.log(line("urn:1", foreign));
  notes.log(line("urn:1", "meet me\n  at noon"));
  const [first, ...others] = notes.of("urn:1").logs;
  expect(first).toMatchObject({
    message: "lost\nError: a",
    stacks: [
      { message: "", frames: [{ name: "three", ...own }, { folded: ["at node:internal/process:1:1"] }] },
      { message: "  [cause]: Error: b", frames: [{ ...own }] },
      { message: "}", frames: [] },
    ],
  });
  expect(others.map((one) => [one.message, "stacks" in one])).toEqual([
    [foreign, false],
    ["meet me\n  at noon", false],
  ]);
});

test("a call is placed below its step by the number of the event with which the step began", () => {
  const notes = new JobNotebook("/nowhere");
  const start = {};
  notes.watch({
    id: "urn:1",
    onEvent: (listener) => listener({ sequence: 7, event: start, body: {}, publicBody: {} }),
    onEnd: () => {},
  });
  notes.call("urn:1", { kind: "request", name: "GET http://a/", from: 1, start, span: "a1" });
  notes.call("urn:1", { kind: "span", name: "parse", from: 1, id: "a1", start: {} });
  expect(notes.of("urn:1").calls).toEqual([
    { kind: "request", name: "GET http://a/", from: 1, step: 7, span: "a1" },
    { kind: "span", name: "parse", from: 1, id: "a1" },
  ]);
});

test("a stack that an error's text forges reads no file outside of the project", () => {
  const root = project();
  symlinkSync("/etc/passwd", join(root, "src/link.ts"));
  const forged = (path: string): string => `Error\n    at x (${path}:1:1)`;
  expect(framesOf(forged(join(root, "src/link.ts")), root)).toEqual([expect.objectContaining({ code: "" })]);
  expect(framesOf(forged(`${root}/src/../../x.ts`), root)).toEqual([{ folded: [expect.stringContaining("x.ts")] }]);
  expect(framesOf(forged("/etc/passwd"), root)).toEqual([{ folded: ["at x (/etc/passwd:1:1)"] }]);
  const elsewhere = "https://elsewhere.example.org/x.ts";
  expect(framesOf(forged(elsewhere), process.cwd())).toEqual([{ folded: [`at x (${elsewhere}:1:1)`] }]);
});

test("an error that came through author code has its stack, and not the line that reports it", () => {
  const root = project();
  const notes = new JobNotebook(root);
  const job = fakeJob("urn:1");
  notes.watch(job);
  const thrown = new RangeError("no");
  thrown.stack = `RangeError: no\n    at three (${join(root, "src/a.ts")}:3:5)`;
  job.end(new Error("The tool failed.", { cause: thrown }));
  notes.log({ ...line("urn:1", "job failed"), name: "tenon" });
  expect(notes.of("urn:1")).toMatchObject({ logs: [], error: { message: "RangeError: no" } });
});

test.each<[() => unknown, unknown]>([
  [() => "just a text", "just a text"],
  [() => ({ code: 3 }), "{ code: 3 }"],
  [() => new Error("Invalid result: no number."), "Error: Invalid result: no number."],
  [revokedProxy, "[not printable]"],
  [() => ({ __proto__: Error.prototype, toString: null }), "[not printable]"],
])("what author code threw or returned ends a job with its text, without lines of its own: %#", (thrown, message) => {
  const notes = new JobNotebook("/nowhere");
  const job = fakeJob("urn:1");
  notes.watch(job);
  job.end(new Error("The tool failed.", { cause: thrown() }));
  notes.log({ ...line("urn:1", "job failed"), name: "tenon" });
  expect(notes.of("urn:1")).toMatchObject({ logs: [], error: { message, causes: [] } });
  expect(notes.brief("urn:1")["error-message"]).toEqual(message);
});

test("an error of tenon's own, such as that of a timeout, stays a line of the log", () => {
  const notes = new JobNotebook("/nowhere");
  const job = fakeJob("urn:1");
  notes.watch(job);
  job.end(new Error("The tool did not finish within 5 ms."));
  notes.log({ ...line("urn:1", "job failed"), name: "tenon" });
  expect(notes.of("urn:1")).toEqual({ logs: [expect.objectContaining({ message: "job failed" })] });
});

test("an error has its causes and inner errors, each once and a bounded number, with their frames", () => {
  const root = project();
  const notes = new JobNotebook(root);
  const noted = (thrown: Error): ReturnType<JobNotebook["of"]>["error"] => {
    const job = fakeJob("urn:1");
    notes.watch(job);
    job.end(new Error("The tool failed.", { cause: thrown }));
    return notes.of("urn:1").error;
  };
  const inner = new TypeError("paper", { cause: "a text" });
  inner.stack = `TypeError: paper\n    at three (${join(root, "src/a.ts")}:3:5)`;
  const both = new AggregateError([inner, inner], "all");
  both.stack = "AggregateError: all\n    at node:internal/process:1:1";
  both.cause = both;
  expect(noted(both)).toEqual({
    message: "AggregateError: all",
    depth: 0,
    frames: [{ folded: ["at node:internal/process:1:1"] }],
    causes: [
      {
        as: "One of them",
        message: "TypeError: paper",
        depth: 1,
        frames: [expect.objectContaining({ place: "src/a.ts:3:5" })],
      },
      { as: "Caused by", message: "a text", depth: 1, frames: [] },
    ],
  });
  let deep: Error = inner;
  for (let depth = 0; depth < 100; depth++) {
    deep = new Error(String(depth), { cause: deep });
    deep.stack = `Error: ${depth}\n    at three (${join(root, "src/a.ts")}:3:5)`;
  }
  const causes = noted(deep)?.causes ?? [];
  expect([causes.length, causes.at(-1)]).toEqual([10, { message: "92 more errors", depth: 0, frames: [] }]);
  const many = new AggregateError(Array.from({ length: 2000 }, (_, index) => index));
  expect(noted(many)?.causes.at(-1)?.message).toBe("990+ more errors");
});

test("errors within an error are in the order of the log: each of several with its causes, then the cause of all", () => {
  const notes = new JobNotebook("/nowhere");
  const job = fakeJob("urn:1");
  notes.watch(job);
  const several = [new Error("b", { cause: "c" }), new AggregateError(["e", "f"], "d", { cause: "g" }), "h"];
  job.end(new Error("The tool failed.", { cause: new AggregateError(several, "a", { cause: "i" }) }));
  const causes = notes.of("urn:1").error?.causes ?? [];
  expect(causes.map(({ as, depth, message }) => `${depth} ${as}: ${message}`)).toEqual([
    "1 One of them: Error: b",
    "1 Caused by: c",
    "1 One of them: AggregateError: d",
    "2 One of them: e",
    "2 One of them: f",
    "1 Caused by: g",
    "1 One of them: h",
    "0 Caused by: i",
  ]);
});

test("the error of a failed step has what the step threw", () => {
  const root = project();
  const notes = new JobNotebook(root);
  const job = fakeJob("urn:1");
  notes.watch(job);
  const thrown = new RangeError("no");
  thrown.stack = `RangeError: no\n    at three (${join(root, "src/a.ts")}:3:5)`;
  job.end(new Error("The tool failed.", { cause: new StepError("pay", { kind: "system", message: "no" }, thrown) }));
  expect(notes.of("urn:1").error).toMatchObject({
    message: "StepError: no",
    causes: [{ as: "Caused by", message: "RangeError: no", frames: [{ place: "src/a.ts:3:5" }] }],
  });
});

test("a notebook has the first two hundred calls of a job", () => {
  const notes = new JobNotebook("/nowhere");
  for (let index = 0; index < 250; index++) notes.call("urn:1", { kind: "span", name: `s${index}`, from: 1, took: 2 });
  const { calls = [] } = notes.of("urn:1");
  expect([calls.length, calls.at(-1)?.name]).toEqual([200, "s199"]);
  expect(notes.of("urn:2").calls).toBeUndefined();
});

test("a call of a worker thread is noted once, with its end", () => {
  const notes = new JobNotebook("/nowhere");
  const call = { kind: "request", name: "GET http://a.test/", from: 1 } as const;
  notes.call("urn:1", { ...call }, "1:1");
  notes.call("urn:1", { ...call, from: 2 }, "1:2");
  notes.call("urn:1", { ...call, took: 3, status: 200 }, "1:1");
  expect(notes.of("urn:1").calls).toEqual([
    { ...call, took: 3, status: 200 },
    { ...call, from: 2 },
  ]);
});

test("a request is listed and shown without secrets, and is noted whole", () => {
  const notes = new JobNotebook("/nowhere", (fields) => createRedactor([]).fields(fields as JsonObject));
  const whole = { user: "Ann", apiKey: "abc", deep: { refresh_token: "def" } };
  notes.begin("urn:1", { origin: "rest", input: whole });
  const shown = '{"user":"Ann","apiKey":"[redacted]","deep":{"refresh_token":"[redacted]"}}';
  expect([notes.brief("urn:1")["request"], notes.of("urn:1").request]).toEqual([shown, shown]);
  expect(notes.request("urn:1")).toBe(JSON.stringify(whole));
  notes.begin("urn:2", { origin: "mcp", input: "ghp_abcdefghijklmnopqrstuvwxyz" });
  expect(notes.of("urn:2").request).toBe('"[redacted]"');
});
