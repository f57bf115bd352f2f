import { expect, test } from "vitest";
import { runEval } from "../../../../cli/eval/run-eval.ts";
import { fakeTool } from "../../../support/fake-tool.ts";

const take = { ...fakeTool(() => 1, { name: "take", request: { type: "object" } }), alwaysLoad: false };
const questions = [{ tool: "take", sentence: "Take.", request: {} }];
const offer = { tools: [take], isSearched: false, instructions: "" };

test("nothing more is asked once a question has failed", async () => {
  let asked = 0;
  const ask = async (): Promise<never> => {
    asked++;
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error("refused");
  };
  await expect(runEval({ models: ["m"], questions, runs: 100, offer }, ask)).rejects.toThrow("refused");
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(4);
});
