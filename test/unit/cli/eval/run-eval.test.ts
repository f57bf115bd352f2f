import { expect, test } from "vitest";
import type { AskModel } from "../../../../cli/eval/facts.ts";
import { askOnce } from "../../../../cli/eval/offer-tools.ts";
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

test("a tool of the service may be called search_tools, unless tools are behind a search", async () => {
  const search = { ...fakeTool(() => 1, { name: "search_tools", request: { type: "object" } }), alwaysLoad: false };
  const question = { tool: "search_tools", sentence: "Search.", request: {} };
  const tokens = { input: 0, output: 0 };
  const ask: AskModel = async () => ({ calls: [{ name: "search_tools", arguments: "{}" }], tokens });
  for (const isSearched of [false, true]) {
    const asked = askOnce(ask, { model: "m", question, run: 1 }, { ...offer, tools: [search], isSearched });
    expect((await asked).picked).toBe(isSearched ? undefined : "search_tools");
  }
});
