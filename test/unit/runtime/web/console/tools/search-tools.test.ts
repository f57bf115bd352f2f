import { expect, test } from "vitest";
import { readService } from "../../../../../../runtime/web/console/client/definition.ts";
import { entriesOf } from "../../../../../../runtime/web/console/tools/entries.ts";
import { searchTools } from "../../../../../../runtime/web/console/tools/search-tools.ts";

const text = { type: "string" };
const schemas: Readonly<Record<string, object>> = {
  tables: {
    type: "array",
    items: { $ref: "#/$defs/Row" },
    $defs: { Row: { type: "object", properties: { a: text } } },
  },
  names: { type: "object", properties: { found: { type: "array", items: text } } },
  shape: { type: "object", properties: { svg: text } },
  clip: { type: "object", properties: { data: { ...text, contentEncoding: "base64", contentMediaType: "audio/wav" } } },
  report: { type: "object", properties: { report: { ...text, pattern: "^urn:platform:artifact:[a-z]{1,200}$" } } },
  odd: { type: "object", properties: { contentMediaType: text, items: text, pattern: text } },
  prime: { type: "object", properties: { isPrime: { type: "boolean" } } },
};
const tools = [
  ...Object.entries(schemas).map(([name, schema]) => ({ name, "result-schema": schema })),
  { name: "plot", "result-kind": "binary", description: "Draws a map as PNG." },
  { name: "zip", "result-kind": "bytes", description: "Packs what is there." },
  { name: "saySpeech", "result-kind": "content", description: "Says it." },
  { name: "pay", category: "Money matters", description: "Pays an order." },
  { name: "say", "result-kind": "text", description: "Tells about a chart." },
];
const entries = entriesOf([readService("", { name: "shop", tools })]);
const found = (search: string): readonly string[] =>
  searchTools(entries, search).map(({ tool, why }) => (why ? `${tool.name}: ${why}` : tool.name));

test.each([
  [
    "which tool draws pictures",
    [
      "shape: returns a picture",
      "plot: returns a picture",
      "zip: may return a picture",
      "saySpeech: may return a picture",
    ],
  ],
  [
    "picture",
    [
      "shape: returns a picture",
      "plot: returns a picture",
      "zip: may return a picture",
      "saySpeech: may return a picture",
    ],
  ],
  ["PNG", ["shape: returns a picture", "plot", "zip: may return a picture", "saySpeech: may return a picture"]],
  ["audio", ["clip: returns sound", "plot: may return sound", "zip: may return sound", "saySpeech: returns sound"]],
  ["download", ["clip: returns a file", "report: returns a file", "plot: returns a file", "zip: returns a file"]],
  ["table", ["tables"]],
  ["rows", ["tables: returns a table"]],
  ["list", ["tables: returns a table", "names: may return a list"]],
  ["money", ["pay: in Money matters"]],
  ["money order", ["pay: in Money matters"]],
  ["prime", ["prime"]],
  ["undefined", []],
])("a search for %j", (search, names) => {
  expect(found(search)).toEqual(names);
});

test("an empty search finds all tools, for no reason", () => {
  expect(found("")).toEqual(tools.map(({ name }) => name));
});
