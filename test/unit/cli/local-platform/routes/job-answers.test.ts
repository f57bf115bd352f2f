import { expect, test } from "vitest";
import type { Exchange } from "../../../../../cli/local-platform/routes/exchange.ts";
import { answerOutput } from "../../../../../cli/local-platform/routes/job-answers.ts";
import type { JobRecord, StoredOutcome } from "../../../../../runtime/executor/store/job-store.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";

const id: JobUrn = "urn:platform:job:00000000-0000-4000-8000-000000000000";

/** The answer for the output of a job that ended so; undefined: it goes on. */
function outputOf(outcome: StoredOutcome | undefined) {
  const sent: { status: number; headers: readonly string[]; body?: string | Uint8Array | undefined }[] = [];
  const exchange = {
    send: (status: number, headers: readonly string[], body?: string | Uint8Array) =>
      void sent.push({ status, headers, body }),
  } as unknown as Exchange;
  const record: JobRecord = {
    id,
    tool: "one",
    state: outcome?.state ?? "executing",
    attempt: 1,
    events: [],
    ...(outcome !== undefined && { outcome }),
  };
  answerOutput(exchange, record);
  return sent;
}

test("the output of a job that goes on is 204 without a body, and says when to ask again", () => {
  expect(outputOf(undefined)).toEqual([
    { status: 204, headers: ["Retry-After", "1", "platform-job-id", id], body: undefined },
  ]);
});

test("the output of a job that has succeeded is its result", () => {
  expect(outputOf({ state: "succeeded", result: { kind: "json", json: "[7]" } })).toMatchObject([
    { status: 200, body: "[7]" },
  ]);
});

test.each([
  ["cancelled", 409],
  ["failed", 400],
  ["error", 500],
] as const)("the output of a job that ended as %s is its error, with %i", (state, status) => {
  const [answer, ...more] = outputOf({ state, error: { kind: "user-input", message: "Not so." } });
  expect(more).toEqual([]);
  expect(answer).toMatchObject({ status, body: expect.stringContaining("Not so.") });
  expect(answer?.headers.slice(-2)).toEqual(["job-status", state]);
});
