import { afterEach, beforeEach, expect, test } from "vitest";
import type { ToolDefinition, ToolFunctions } from "../../../../../runtime/contract/contract.ts";
import {
  clearRegistry,
  defineTool,
  registeredTools,
  toolConflicts,
} from "../../../../../runtime/service/tools/registry.ts";

beforeEach(clearRegistry);
afterEach(clearRegistry);

function definition(name: string, source: string): ToolDefinition {
  return {
    name,
    description: "",
    signature: "",
    source,
    annotations: {},
    result: { kind: "none" },
    mcp: { inputSchema: { type: "object" } },
  };
}
const functions: ToolFunctions = { call: () => undefined };

test("tools are listed in the order of their registration", () => {
  defineTool(definition("b", "src/b.ts:1"), functions);
  defineTool(definition("a", "src/a.ts:1"), functions);
  expect(registeredTools().map((tool) => tool.definition.name)).toEqual(["b", "a"]);
  expect(toolConflicts()).toEqual([]);
});

test("the same file again is a reload: the newer one counts, in its old place", () => {
  defineTool(definition("a", "src/a.ts:1"), functions);
  defineTool(definition("b", "src/b.ts:1"), functions);
  const newer = { call: () => 2 };
  defineTool(definition("a", "src/a.ts:7"), newer);
  expect(registeredTools().map((tool) => tool.definition.source)).toEqual(["src/a.ts:7", "src/b.ts:1"]);
  expect(registeredTools()[0]?.functions).toBe(newer);
  expect(toolConflicts()).toEqual([]);
});

test("another file is a conflict, told once; the first one stays", () => {
  defineTool(definition("a", "src/a.ts:1"), functions);
  defineTool(definition("a", "src/b.ts:1"), functions);
  defineTool(definition("a", "src/b.ts:1"), functions);
  expect(registeredTools().map((tool) => tool.definition.source)).toEqual(["src/a.ts:1"]);
  expect(toolConflicts()).toEqual([{ name: "a", sources: ["src/a.ts:1", "src/b.ts:1"] }]);
});

test("two copies of the package share one registry", async () => {
  const copy: { defineTool: typeof defineTool } = await import(
    `../../../../../runtime/service/tools/registry.ts?copy=${"2"}`
  );
  expect(copy.defineTool).not.toBe(defineTool);
  copy.defineTool(definition("a", "src/a.ts:1"), functions);
  expect(registeredTools()).toHaveLength(1);
});
