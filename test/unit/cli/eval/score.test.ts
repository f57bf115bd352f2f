import { describe, expect, test } from "vitest";
import { parseReport, regressionsOf } from "../../../../cli/eval/baseline.ts";
import type { EvalReport, Question, Run } from "../../../../cli/eval/facts.ts";
import { judge, rateOf, scoreModel } from "../../../../cli/eval/score.ts";
import { fakeTool } from "../../../support/fake-tool.ts";

test.each([
  [0, 0, 0, 0, 1],
  [0, 10, 0, 0, 0.278],
  [8, 10, 0.8, 0.49, 0.943],
  [10, 10, 1, 0.722, 1],
])("%i of %i has the Wilson interval %d, %d to %d", (passed, runs, rate, low, high) => {
  expect(rateOf(passed, runs)).toEqual({ passed, runs, rate, low, high });
});

const schema = {
  type: "object",
  properties: {
    n: { type: "integer" },
    unit: { type: "string", default: "m" },
    filter: { $ref: "#/$defs/Filter" },
    lines: { type: "array", items: { $ref: "#/$defs/Filter" } },
  },
  required: ["n"],
  $defs: { Filter: { type: "object", properties: { q: { type: "string" }, limit: { type: "integer", default: 10 } } } },
} as const;
const tools = new Map([["take", fakeTool(() => 1, { name: "take", request: schema }).definition]]);
const question: Question = { tool: "take", sentence: "Take 3.", request: { n: 3 } };
const tokens = { input: 1, output: 1 };
const judged = (picked: string | undefined, text: string, asked = question): Run =>
  judge(asked, { ...(picked !== undefined && { picked }), arguments: text, tokens }, tools);

describe("an answer is judged", () => {
  test.each([
    ["the same request", "take", '{"n":3}', "right"],
    ["a default that is written", "take", '{"unit":"m","n":3}', "right"],
    ["other values", "take", '{"n":4}', "other-values"],
    ["a value of another type", "take", '{"n":"3"}', "refused"],
    ["no JSON", "take", "{n", "refused"],
    ["another tool", "give", "{}", "other-tool"],
    ["no tool", undefined, "", "no-call"],
  ])("%s", (_, picked, text, outcome) => {
    expect(judged(picked, text).outcome).toBe(outcome);
  });

  test("defaults of fields within fields and lists may be written, too", () => {
    const nested: Question = { ...question, request: { n: 3, filter: { q: "a" }, lines: [{ q: "b", limit: 10 }] } };
    const text = '{"n":3,"filter":{"q":"a","limit":10},"lines":[{"q":"b"}]}';
    expect(judged("take", text, nested).outcome).toBe("right");
    expect(judged("take", text.replace("10", "11"), nested).outcome).toBe("other-values");
  });

  test("by the path of what is refused, and by none where no call is expected", () => {
    expect(judged("take", '{"n":"3"}').problems).toEqual([expect.stringMatching(/^\/n: /)]);
    const silent: Question = { tool: "take", sentence: "Hello." };
    expect([judged(undefined, "", silent).outcome, judged("take", "{}", silent).outcome]).toEqual([
      "right",
      "needless-call",
    ]);
  });
});

test("a baseline fails by a sentence that passed in more than half of its runs, and does so no more", () => {
  const report = (...texts: readonly string[]): EvalReport => {
    const answers = texts.map((text) => judged("take", text));
    return { search: false, instructions: true, models: [scoreModel("m", [{ question, answers }])] };
  };
  const [good, half, bad] = [report('{"n":3}'), report('{"n":3}', '{"n":4}'), report('{"n":4}')];
  const lost = [{ model: "m", tool: "take", sentence: "Take 3." }];
  expect([regressionsOf(good, bad), regressionsOf(good, half), regressionsOf(half, bad)]).toEqual([lost, lost, []]);
  expect(parseReport(JSON.stringify(good))).toEqual(good);
  expect([parseReport("{"), parseReport('{"models":1}')]).toEqual([
    "it is not JSON",
    "it is not a report of `tenon eval --json`",
  ]);
});
