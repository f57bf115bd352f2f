import { expect, test } from "vitest";
import { compareContracts } from "../../../../cli/contracts/compare-contracts.ts";
import type { Contract } from "../../../../cli/contracts/contract.ts";

const brief: Contract = {
  name: "",
  version: "",
  tools: [{ name: "half", description: "Halves.", annotations: {} }],
  isBrief: true,
};
const whole = {
  name: "Own",
  version: "1.0.0",
  tools: [
    {
      name: "half",
      title: "Half",
      description: "Cuts.",
      annotations: { readOnlyHint: true },
      path: "/half",
      scopes: ["a"],
      "result-kind": "json",
    },
  ],
  prompts: [{ name: "review", description: "Reviews." }],
  resources: [{ name: "readme", description: "Reads.", uri: "own://readme" }],
} as unknown as Contract;

const changes = (before: Contract, after: Contract): readonly string[] =>
  compareContracts(before, after).map(({ tool, place, rule }) => `${tool} ${place}: ${rule}`);

test("descriptions of tools are compared by what they have: texts, schemas and annotations", () => {
  expect(changes(brief, whole)).toEqual([
    "half annotations: read-only-hint-gained",
    "half description: description-changed",
  ]);
  expect(changes({ ...brief, tools: [] }, whole)).toEqual(["half tool: tool-added"]);
});

test("a definition is compared by everything", () => {
  const { isBrief: _, ...bare } = brief;
  expect(changes(bare, whole).toSorted()).toEqual([
    "half annotations: read-only-hint-gained",
    "half description: description-changed",
    "half scopes: scope-added",
    "half title: title-changed",
    "readme resource: resource-added",
    "review prompt: prompt-added",
    "service name: name-changed",
  ]);
});
