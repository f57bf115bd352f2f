import { expect, test } from "vitest";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { problemAnswer, problemBody, refusalHeaders } from "../../../../../runtime/fronts/http/problem.ts";
import { forkStep } from "../../../../../runtime/fronts/http/fork-step.ts";
import { sees } from "../../../../../runtime/fronts/http/identity.ts";
import { operates } from "../../../../../runtime/fronts/http/operator.ts";
import { openLimit } from "../../../../../runtime/fronts/http/middleware/open-limit.ts";

test("an error is a problem with its kind, its headers and the job", () => {
  const error = new ToolError("overloaded", "Too many.", { retryAfter: 1.2 });
  const { status, headers, body } = problemAnswer(error, "urn:job:1", ["X-Own", "1"]);
  expect([status, headers]).toEqual([
    503,
    ["Content-Type", "application/problem+json", "job-id", "urn:job:1", "Retry-After", "2", "X-Own", "1"],
  ]);
  expect(JSON.parse(String(body))).toEqual({
    $schema: "urn:platform:schema.error.1",
    type: "urn:platform:problem:overloaded",
    title: expect.any(String) as string,
    status: 503,
    detail: "Too many.",
    "job-id": "urn:job:1",
  });
  expect(problemAnswer(error).headers).toEqual(["Content-Type", "application/problem+json", "Retry-After", "2"]);
});

test.each(["too-many-requests", "idempotency-conflict"] as const)("a refusal names no job: %s", (kind) => {
  const { headers, body } = problemAnswer(new ToolError(kind, "No."), "urn:job:1");
  expect(headers).toEqual(["Content-Type", "application/problem+json"]);
  expect(JSON.parse(String(body))).not.toHaveProperty("job-id");
});

test("a challenge is a header, problems are listed, and an error of the service names its job", () => {
  expect(refusalHeaders(new ToolError("unauthorized", "No.", { challenge: "Bearer" }))).toEqual([
    "WWW-Authenticate",
    "Bearer",
  ]);
  expect(refusalHeaders(new ToolError("unauthorized", "No."))).toEqual([]);
  const problems = [{ path: "/a", expected: "text" }] as never;
  expect(problemBody(new ToolError("bad-request", "Wrong.", { problems }), undefined, 499)).toMatchObject({
    status: 499,
    errors: problems,
  });
  const system = new ToolError("system", "It failed.");
  expect([problemBody(system, "urn:job:1").detail, problemBody(system).detail]).toEqual([
    "It failed. Job: urn:job:1",
    "It failed.",
  ]);
  expect(problemBody(new ToolError("not-found", "None."), "urn:job:1").detail).toBe("None.");
});

test("the step from which a job runs again is a text, or none without a body or its members", () => {
  expect(forkStep(Buffer.alloc(0))).toBeUndefined();
  expect(forkStep(Buffer.from("{}"))).toBeUndefined();
  expect(forkStep(Buffer.from('{"from":"ship[2]"}'))).toBe("ship[2]");
  for (const body of ['{"from":""}', '{"from":1}', '{"form":"ship"}', "null", '"from"', "[]"])
    expect(() => forkStep(Buffer.from(body))).toThrow('The body must be {"from": "STEP"}, {}, or empty.');
});

test("a caller sees what all its scopes allow, and operates with the operator's alone", () => {
  const has = new Set(["a", "b"]);
  expect([sees(undefined, ["x"]), sees(has, undefined), sees(has, ["a", "b"]), sees(has, ["a", "x"])]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  const of = (...scopes: readonly string[]) => operates({ scopes: new Set(scopes) } as never);
  expect([operates(undefined), of("tenon:operate"), of("a")]).toEqual([true, true, false]);
});

test("a limit is opened where one is configured", async () => {
  expect(await openLimit(undefined, new Set())).toBeUndefined();
  const limit = await openLimit({ count: 1, seconds: 60 }, new Set(["/open"]));
  const gate = limit?.(undefined);
  const head = (path: string) => ({ path, address: "10.0.0.1" }) as never;
  expect([gate?.(head("/open")), gate?.(head("/open")), gate?.(head("/a"))]).toEqual([{}, {}, {}]);
  expect(() => gate?.(head("/a"))).toThrow("More than 1 requests in 60 s.");
});
