import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { launch, sidecar } from "./launch.ts";

const start = "urn:platform:schema:service.event.step.start.1";
const finish = "urn:platform:schema:service.event.step.finish.1";
const generic = "urn:platform:schema:service.event.generic.1";
const failed = "urn:platform:schema:service.event.step.error.1";
const error = "urn:platform:schema.service.error.1";

const begun = [
  { $schema: start, name: "work", options: { extra: 1, message: "starting" } },
  { $schema: generic, name: "work", options: { progress: 50 } },
];

/**
 * The observed sequence of eight jobs, with what was decided otherwise: `Is-Error` in lower case, `text/plain` with its
 * charset, encoded ids, the job's token on its result, the kind of an unusable content type, a step error and a fixed
 * text when the tool calls exit, nothing of a traceback.
 */
test("eight jobs and the end, call by call", async () => {
  const fake = await sidecar();
  const contents: readonly unknown[] = [
    { text: "hi" },
    { text: "hi", err: "value" },
    { text: 5 },
    {},
    { text: "hi", kind: "bin" },
    { text: "hi", err: "system" },
    { text: "hi", kind: "str" },
    { text: "hi", err: "exit" },
  ];
  fake.add(
    ...contents.map((content, n) => ({
      id: `urn:platform:job:${n + 1}`,
      content,
      token: `Bearer ${n + 1}`,
      ...(n === 3 && { contentType: "text/plain" }),
    })),
  );
  fake.finish();
  const { code, stdout } = await launch({ PLATFORM_BASE_URL: fake.url }, [], temporaryFolder()).ended;
  expect([code, stdout]).toEqual([0, ""]);

  const calls = fake.exchanges.map(({ method, url, headers, body, bytes, phase }) => {
    const head = [`${method} ${decodeURIComponent(url)}`, headers.authorization];
    if (phase === "fetch") return head;
    if (phase === "event") {
      const { timestamp, sequence, stacktrace, ...rest } = body as Record<string, unknown>;
      const isWhole = typeof timestamp === "string" && (stacktrace === undefined || Array.isArray(stacktrace));
      return [...head, isWhole ? sequence : body, rest];
    }
    return [
      ...head,
      headers["is-error"],
      headers["content-type"],
      headers["content-type"]?.startsWith("image/") === true ? [...bytes] : body,
    ];
  });
  const next = ["GET /next_job?wait=20", undefined];
  const event = (n: number, sequence: number, body: unknown): unknown[] => [
    `POST /events/urn:platform:job:${n}`,
    `Bearer ${n}`,
    sequence,
    body,
  ];
  const result = (n: number, isError: string, type: string, body: unknown): unknown[] => [
    `POST /results/urn:platform:job:${n}`,
    `Bearer ${n}`,
    isError,
    type,
    body,
  ];
  const both = (n: number): unknown[][] => begun.map((body, index) => event(n, index + 1, body));
  const auto = { $schema: finish, name: "work", options: null };
  const hidden = (n: number): string => `The tool failed. The service's log has the reason. Job: urn:platform:job:${n}`;
  expect(calls).toEqual([
    next,
    ...both(1),
    event(1, 3, { $schema: finish, name: "work", options: { loops: 3, message: "done" } }),
    event(1, 4, { $schema: start, name: "two", options: { msg: "empty" } }),
    event(1, 5, { $schema: finish, name: "two", options: null }),
    result(1, "false", "application/json", { $schema: "urn:example:schema:b.1", output: "HI", auth: "Bearer 1" }),
    next,
    ...both(2),
    event(2, 3, { $schema: failed, error: "bad", context: "work" }),
    result(2, "true", "application/json", { $schema: error, error: "bad", type: "ValueError" }),
    next,
    result(3, "true", "application/json", {
      $schema: error,
      error: "The request does not match its schema.",
      type: "ValidationError",
      errors: [{ path: "/text", expected: "string", value: 5, message: "Expected string, got 5." }],
    }),
    next,
    result(4, "true", "application/json", {
      $schema: error,
      error: 'The job has in-content-type "text/plain"; only application/json is taken.',
      type: "unsupported-media-type",
    }),
    next,
    ...both(5),
    event(5, 3, auto),
    result(5, "false", "image/png", [1, 2, 3]),
    next,
    ...both(6),
    event(6, 3, { $schema: failed, error: "a secret detail", context: "work" }),
    result(6, "true", "application/json", { $schema: error, error: hidden(6), type: "TypeError" }),
    next,
    ...both(7),
    event(7, 3, auto),
    result(7, "false", "text/plain", "text"),
    next,
    ...both(8),
    event(8, 3, { $schema: failed, error: "The tool called process.exit(7).", context: "work" }),
    result(8, "true", "application/json", { $schema: error, error: hidden(8), type: "SystemExit" }),
    next,
  ]);
});
