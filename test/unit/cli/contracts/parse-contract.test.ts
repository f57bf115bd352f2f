import { expect, test } from "vitest";
import { parseContract, parseDescriptions } from "../../../../cli/contracts/parse-contract.ts";
import { schemaFault } from "../../../../cli/contracts/schema-form.ts";

const of = (tool: object): string => JSON.stringify({ tools: [{ name: "ok" }, { name: "a", ...tool }] });

test.each([
  ["{", "it is not JSON"],
  ["[]", "it is not a service definition: it has no `tools`"],
  ['{"tools":{}}', "it is not a service definition: it has no `tools`"],
  ['{"tools":[1]}', "it is not a service definition: a tool has no name"],
  ['{"tools":[{"name":1}]}', "it is not a service definition: a tool has no name"],
  ['{"tools":[],"prompts":{}}', "it is not a service definition: `prompts` is not a list"],
  ['{"tools":[],"resources":[{},1]}', "it is not a service definition: `resources` is not a list"],
  [of({ path: "a" }), 'the path of tool "a" does not begin with a slash'],
  [of({ path: 1 }), 'the path of tool "a" does not begin with a slash'],
  [of({ scopes: "a" }), '`scopes` of tool "a" is not a list'],
  [of({ examples: {} }), '`examples` of tool "a" is not a list'],
  [of({ waits: {} }), '`waits` of tool "a" is not a list'],
  [of({ waits: [{ name: "b" }, {}] }), 'a message of tool "a" has no name'],
  [
    of({ waits: [{ name: "b", "message-schema": { items: 1 } }] }),
    'message b of tool "a" cannot be read: /items is not a schema',
  ],
  [of({ annotations: [] }), 'the annotations of tool "a" are not an object'],
  [of({ "request-schema": 1 }), 'request-schema of tool "a" cannot be read:  is not a schema'],
  [
    of({ "result-schema": { type: 1 } }),
    'result-schema of tool "a" cannot be read: /type has a value that type cannot have',
  ],
])("%s is not a contract", (text, fault) => {
  expect(parseContract(text)).toBe(fault);
});

test("a contract has a name, a version and annotations, also where the document has none", () => {
  const whole = { name: "Own", version: "1.2.3", prompts: [{}], resources: [], more: 1 };
  const tools = [{ name: "a", path: "/a", scopes: ["x"], annotations: { title: "A" }, "request-schema": null }];
  expect(parseContract(JSON.stringify({ ...whole, tools }))).toEqual({ ...whole, tools });
  const bare = { name: "", version: "", tools: [{ name: "a", annotations: {} }] };
  expect(parseContract('{"tools":[{"name":"a"}]}')).toEqual(bare);
  expect(parseContract('{"tools":[{"name":"a"}],"version":1}')).toEqual(bare);
});

test("the descriptions of a running service are read, of one tool and of many", () => {
  const one = { name: "a", description: "A.", fn_schema: { type: "object" }, result_schema: {}, annotations: { x: 1 } };
  const tool = { name: "a", description: "A.", "request-schema": { type: "object" }, "result-schema": {} };
  const brief = { name: "", version: "", isBrief: true };
  expect(parseDescriptions(JSON.stringify(one))).toEqual({ ...brief, tools: [{ ...tool, annotations: { x: 1 } }] });
  const bare = { name: "b", description: "", annotations: {} };
  expect(parseDescriptions('{"tools":[{"name":"b","annotations":1},{"name":"b","fn_schema":null}]}')).toEqual({
    ...brief,
    tools: [bare, bare],
  });
});

test.each([
  ["{", "it does not describe tools"],
  ["{}", "it does not describe tools"],
  ['{"tools":[1]}', "it does not describe tools"],
  ['{"name":"a","fn_schema":{"items":1}}', 'fn_schema of tool "a" cannot be read: /items is not a schema'],
  ['{"name":"a","result_schema":[]}', 'result_schema of tool "a" cannot be read:  is not a schema'],
])("%s describes no tools", (text, fault) => {
  expect(parseDescriptions(text)).toBe(fault);
});

/** A schema so many levels below the first one. */
const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });
const defs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}`, {}]));

test.each([
  [{ type: "text" }, "/type has a value that type cannot have"],
  [{ type: ["string", "text"] }, "/type has a value that type cannot have"],
  [{ "x-type": "Buffer" }, "/x-type has a value that x-type cannot have"],
  [{ required: [1] }, "/required has a value that required cannot have"],
  [{ required: "a" }, "/required has a value that required cannot have"],
  [{ enum: {} }, "/enum has a value that enum cannot have"],
  [{ minLength: "1" }, "/minLength has a value that minLength cannot have"],
  [{ multipleOf: 0 }, "/multipleOf has a value that multipleOf cannot have"],
  [{ multipleOf: "1" }, "/multipleOf has a value that multipleOf cannot have"],
  [{ pattern: "(" }, "/pattern has a value that pattern cannot have"],
  [{ pattern: "a".repeat(10_001) }, "/pattern has a value that pattern cannot have"],
  [{ properties: { a: 1 } }, "/properties/a is not a schema"],
  [{ properties: [] }, "/properties is not an object"],
  [{ patternProperties: { "(": {} } }, "/patternProperties has a key that is not a pattern"],
  [{ patternProperties: { a: true } }, "/patternProperties/a is not a schema"],
  [{ anyOf: {} }, "/anyOf is not a list"],
  [{ anyOf: [{}, { type: 1 }] }, "/anyOf/1/type has a value that type cannot have"],
  [{ prefixItems: [true] }, "/prefixItems/0 is not a schema"],
  [{ $defs: { a: { items: 1 } } }, "/$defs/a/items is not a schema"],
  [{ $defs: defs(1001) }, "it has more than 1000 definitions"],
  [nested(201), "it is nested more than 200 levels deep"],
  [{ $defs: { a: { $ref: "#/$defs/a" } } }, "a definition holds nothing but itself"],
  [
    { $defs: { a: { anyOf: [{}, { $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
    "a definition holds nothing but itself",
  ],
  [true, " is not a schema"],
])("the schema %# has a fault", (schema, fault) => {
  expect(schemaFault(schema)).toBe(fault);
});

test.each([
  {},
  { type: ["string", "null"], "x-type": "Date", enum: [], pattern: "^a", minLength: 1, multipleOf: 0.5 },
  { properties: { a: true, b: false }, items: true, additionalProperties: false },
  { patternProperties: { "^a$": {} }, required: ["a"], pattern: "a".repeat(10_000) },
  { $defs: { ...defs(999), a: { items: { $ref: "#/$defs/a" }, anyOf: [{ $ref: "#/$defs/d1" }] } } },
  { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }, { $ref: "#/$defs/none" }], $defs: { a: {} } },
  nested(200),
])("the schema %# has none", (schema) => {
  expect(schemaFault(schema)).toBeUndefined();
});
