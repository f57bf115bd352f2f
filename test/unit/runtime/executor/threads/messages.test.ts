import { expect, test } from "vitest";
import { receiveError, sendError } from "../../../../../runtime/executor/threads/messages.ts";
import { describeThrown } from "../../../../../runtime/telemetry/log/describe-thrown.ts";

const refused = Object.assign(new TypeError("no", { cause: new Error("why") }), { code: "ECONNREFUSED" });

test.each([
  ["an error with code and cause", refused],
  ["an AggregateError", new AggregateError([refused, "text"], "all")],
  ["an object that is no error", { status: 404, message: "not there", detail: { apiKey: "k" } }],
])("the log tells of %s in a thread as of one in the main thread", (_, thrown) => {
  const { cause } = receiveError(structuredClone(sendError(thrown)));
  expect(describeThrown(cause)).toEqual(describeThrown(thrown));
});

test("an object that is no error is told with its fields", () => {
  const thrown = { status: 404, message: "not there" };
  expect(describeThrown(thrown)).toEqual({ type: "object", message: "not there", value: thrown });
});
