import { expect, test } from "vitest";
import { resourceEntries, resourceFinder } from "../../../../../../runtime/fronts/mcp/lists/resource-entries.ts";
import { scopeFinder } from "../../../../../../runtime/fronts/mcp/lists/scope-finder.ts";
import type { Tool } from "../../../../../../runtime/service/tools/tool.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";

function resource(uri: string, scope: string): Tool {
  return fakeTool(() => uri, { definition: { kind: "resource", uri, name: uri, scopes: [scope] } });
}

// The widest ones first, as somebody may write them.
const offers = [
  resource("notes://{+path}", "path"),
  resource("notes://{id}", "one"),
  resource("notes://archive/{id}", "archive"),
  resource("notes://all", "all"),
];

test.each([
  ["notes://all", "all", {}],
  ["notes://7", "one", { id: "7" }],
  ["notes://archive/7", "archive", { id: "7" }],
  ["notes://trash/7", "path", { path: "trash/7" }],
] as const)("%s is read by the resource that says most of it, and needs its scope", (uri, scope, args) => {
  const found = resourceFinder(resourceEntries(offers))(uri);
  expect([found?.tool.definition.scopes, found?.args]).toEqual([[scope], args]);
  expect(scopeFinder([], offers)("resources/read", { uri })).toEqual([scope]);
});

test("an address has at most 8192 characters", () => {
  const address = "notes://".padEnd(8192, "x");
  expect(resourceFinder(resourceEntries(offers))(address)?.args).toEqual({ id: address.slice(8) });
  expect(resourceFinder(resourceEntries(offers))(`${address}x`)).toBeUndefined();
});

test("an address of no resource is not found, and needs no scope", () => {
  expect(resourceFinder(resourceEntries(offers))("other://1")).toBeUndefined();
  expect(scopeFinder([], offers)("resources/read", { uri: "other://1" })).toEqual([]);
});

test("a completion needs the scope of what its type refers to, whatever else it names", () => {
  const prompt = fakeTool(() => "", { name: "open", definition: { kind: "prompt" } });
  const needed = (ref: object) => scopeFinder([], [...offers, prompt])("completion/complete", { ref: { ...ref } });
  const uri = "notes://archive/{id}";
  expect(needed({ type: "ref/resource", uri, name: "open" })).toEqual(["archive"]);
  expect(needed({ type: "ref/prompt", uri, name: "open" })).toEqual([]);
});
