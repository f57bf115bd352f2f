import { expect, test } from "vitest";
import { describeThrown } from "../../../../../runtime/telemetry/log/describe-thrown.ts";
import { splitErrors } from "../../../../../runtime/telemetry/log/thrown-text.ts";

/** The text of a log line for what was thrown, without frames. */
const linesOf = (thrown: unknown): readonly string[] =>
  splitErrors({ error: JSON.parse(JSON.stringify(describeThrown(thrown))) })
    .text.split("\n")
    .filter((line) => line !== "" && !line.startsWith("    at "));

test("causes and inner errors beyond the maximum are counted, not dropped", () => {
  const chain = Array.from({ length: 7 }).reduce<Error>(
    (cause, _, index) => new Error(`link ${index}`, { cause }),
    new Error("first"),
  );
  expect(linesOf(chain).slice(3)).toEqual([
    "Caused by: Error: link 3",
    "Caused by: Error: link 2",
    "Caused by: further ones, which the log leaves out",
  ]);
  const many = new AggregateError(
    Array.from({ length: 20 }, (_, index) => new Error(`one ${index}`)),
    "all failed",
  );
  expect(linesOf(many).slice(7)).toEqual([
    "One of them: Error: one 6",
    "One of them: Error: one 7",
    "One of them: 12 more, which the log leaves out",
  ]);
});

test("a thrown text is shown as it is, and an object as JSON", () => {
  expect(linesOf(new Error("outer", { cause: "no paper" }))).toEqual(["Error: outer", "Caused by: no paper"]);
  expect(linesOf({ reason: "no paper" })).toEqual(['object: {"reason":"no paper"}']);
  expect(linesOf({ message: "no ink", code: 4 })).toEqual(['object: {"message":"no ink","code":4}']);
});
