import { expect, test } from "vitest";
import { readJob, type Fetched } from "../../../../../runtime/fronts/batch/read-job.ts";

function read(body: unknown, headers: Record<string, string> = {}, status = 200): Fetched {
  return readJob({ status, headers, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) });
}

test("a job of a plain sidecar", () => {
  expect(
    read(
      { id: "urn:platform:job:1", "in-content-type": "application/json", "in-content": { a: 1 } },
      { authorization: "Bearer x" },
    ),
  ).toEqual({
    kind: "job",
    job: {
      id: "urn:platform:job:1",
      content: { a: 1 },
      authorization: "Bearer x",
      traceparent: undefined,
      tracestate: undefined,
      attempt: { id: "urn:platform:job:1", headers: {} },
      leaseSeconds: undefined,
    },
  });
});

test.each([
  ["30", 30],
  ["0.5", 0.5],
  ["0", 15],
  ["-3", 15],
  ["soon", 15],
  ["", 15],
])("Job-Lease-Seconds %j is %d s", (seconds, expected) => {
  const fetched = read({ id: "1" }, { "job-attempt": "2", "job-lease": "n", "job-lease-seconds": seconds });
  expect(fetched).toMatchObject({
    kind: "job",
    job: {
      id: "urn:platform:job:1",
      leaseSeconds: expected,
      attempt: { id: "1", headers: { "Job-Attempt": "2", "Job-Lease": "n" } },
    },
  });
});

test.each(["urn:platform:job:a b/c", "a%2Fb", "x".repeat(200)])("the platform's ids may be odd: %j", (id) => {
  expect(read({ id })).toMatchObject({ kind: "job", job: { attempt: { id } } });
});

test.each<[string, unknown, string]>([
  ["nothing", "", "the answer body is empty; send JSON, for example {}."],
  ["text", "hello", "the answer body is not valid JSON."],
  ["list", [], "the answer is not a JSON object"],
  ["no id", {}, "the answer has no usable job id"],
  ["empty id", { id: "" }, "the answer has no usable job id"],
  ["dots", { id: ".." }, "the answer has no usable job id"],
])("unusable: %s", (_, body, reason) => {
  expect(read(body)).toEqual({ kind: "unusable", reason });
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["number as id", { id: 5 }, /unusable id/],
  ["line break", { id: "a\nb" }, /unusable id/],
  ["long", { id: "x".repeat(201) }, /unusable id/],
  ["type", { id: "1", "in-content-type": 5 }, /in-content-type 5; only application\/json/],
])("a job that cannot run ends with an error under its id: %s", (_, body, message) => {
  const fetched = read(body);
  if (fetched.kind !== "job") throw new Error(fetched.kind);
  expect(fetched.job.attempt.id).toBe(String(body["id"]));
  expect(fetched.job.problem?.message).toMatch(message);
});

test("a trace context is taken when it is one", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  expect(read({ id: "1" }, { traceparent, tracestate: "a=b" })).toMatchObject({
    job: { traceparent, tracestate: "a=b" },
  });
  expect(read({ id: "1" }, { traceparent: "00-nope", tracestate: "a=b" })).toMatchObject({
    job: { traceparent: undefined, tracestate: undefined },
  });
});

test("the end, and nothing to do", () => {
  expect(read({ $schema: "urn:platform:schema.service.batch.done.1" })).toEqual({ kind: "done" });
  expect(read({ $schema: "urn:platform:schema.service.batch.done" })).toEqual({ kind: "done" });
  expect(read("", {}, 410)).toEqual({ kind: "done" });
  expect(read("", {}, 204)).toEqual({ kind: "empty", pause: 1000 });
  expect(read("", { "retry-after": "7" }, 204)).toEqual({ kind: "empty", pause: 7000 });
});

test.each([
  ["application/json", true],
  ["Application/JSON; charset=utf-8", true],
  ["application/vnd.x+json", true],
  ["text/plain", false],
  ["application/jsonp", false],
  ["", false],
])("content type %j is JSON: %s", (type, isJson) => {
  const fetched = read({ id: "1", "in-content-type": type });
  expect(fetched.kind === "job" && fetched.job.problem === undefined).toBe(isJson);
});
