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

/** A service whose tool takes this. */
function taking(schema: object): Contract {
  const tool = { name: "take", description: "Takes.", annotations: {}, "request-schema": schema };
  return { name: "Own", version: "1.0.0", tools: [tool] } as unknown as Contract;
}

test("a place is a JSON Pointer, whatever the names of fields are", () => {
  const object = (properties: object) => taking({ type: "object", properties });
  const before = object({ "a/b~": { type: "string", title: "A" }, "c/d~": { type: "number" }, "e/f~": {} });
  const after = object({ "a/b~": { type: "string", title: "B" }, "c/d~": { type: "string" }, "g/h~": {} });
  expect(changes(before, after).toSorted()).toEqual([
    "take request /a~1b~0: title-changed",
    "take request /c~1d~0: type-changed",
    "take request /e~1f~0: field-ignored",
    "take request /g~1h~0: field-added",
  ]);
});

test("texts are compared at each depth: in lists, in tuples, in records and in lists of lists", () => {
  const deep = (title: string) => {
    const part = { type: "string", title };
    const list = { type: "array", items: part };
    const tuple = { type: "array", prefixItems: [{ type: "number" }, part], items: part };
    const properties = { list, tuple, lists: { type: "array", items: list } };
    return taking({
      type: "object",
      properties: { ...properties, record: { type: "object", additionalProperties: part } },
    });
  };
  expect(changes(deep("A"), deep("B")).toSorted()).toEqual([
    "take request /list/*: title-changed",
    "take request /lists/*/*: title-changed",
    "take request /record/*: title-changed",
    "take request /tuple/*: title-changed",
    "take request /tuple/1: title-changed",
  ]);
});

test("the scopes that callers need, or need no longer, are named", () => {
  const scoped = (scopes: readonly string[]): Contract => ({
    ...brief,
    isBrief: false,
    tools: brief.tools.map((tool) => ({ ...tool, scopes })),
  });
  const told = (from: readonly string[], to: readonly string[]) =>
    compareContracts(scoped(from), scoped(to)).map(({ rule, message }) => `${rule}: ${message}`);
  expect(told(["a", "b", "c"], ["c"])).toEqual(["scope-removed: callers no longer need the scope a b"]);
  expect(told(["c"], ["a", "b", "c"])).toEqual(["scope-added: callers also need the scope a b"]);
});

test("a type that became a choice of two as unlike it is compared with the first, as it is written", () => {
  const object = (type: string) => ({ type: "object", properties: { a: { type } }, required: ["a"] });
  const choice = (...types: readonly string[]) => taking({ anyOf: types.map(object) });
  for (const types of [
    ["number", "boolean"],
    ["boolean", "number"],
  ])
    expect(compareContracts(taking(object("string")), choice(...types))[0]).toMatchObject({
      severity: "breaking",
      message: `string became ${types[0]}`,
    });
});

test.each([
  ["other", "^(?!other$)"],
  ["key1", "^[^1]*$"],
  ["a b", "^\\S*$"],
  ["xxxxxxxxx", "^.{0,8}$"],
])("a change for keys that no pattern matches is proven by the key %j, if others match %s", (key, pattern) => {
  const keyed = (type: string) =>
    taking({ type: "object", patternProperties: { [pattern]: true }, additionalProperties: { type } });
  const found = compareContracts(keyed("number"), keyed("integer"));
  expect(found).toMatchObject([{ severity: "breaking", place: "request /*" }]);
  expect(Object.keys(found[0]?.witness?.value as object)).toEqual([key]);
});
