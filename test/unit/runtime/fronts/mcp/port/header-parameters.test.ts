import { describe, expect, test } from "vitest";
import {
  findHeaderParameters,
  headerParameterMismatch,
} from "../../../../../../runtime/fronts/mcp/port/header-parameters.ts";

const schema = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    options: { type: "object", properties: { count: { type: "integer", "x-mcp-header": "Count" } } },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    plain: { type: "string" },
    // As a file of `@inputSchema` may say it.
    anything: true,
    list: { type: "array", items: { type: "string", "x-mcp-header": "Unreachable" } },
  },
};
const parameters = findHeaderParameters(schema);

test("finds declarations at any depth of properties, and nowhere else", () => {
  expect(parameters).toEqual([
    { header: "Region", path: ["region"], numeric: false },
    { header: "Count", path: ["options", "count"], numeric: true },
    { header: "Dry", path: ["dry"], numeric: false },
  ]);
});

function mismatch(args: unknown, headers: Record<string, string>): string | undefined {
  return headerParameterMismatch(parameters, args, (name) => new Headers(headers).get(name));
}

describe("agreement", () => {
  test.each([
    ["equal text", { region: "eu" }, { "Mcp-Param-Region": "eu" }],
    ["no value, no header", {}, {}],
    ["null needs no header", { region: null }, {}],
    ["a header without a value is not looked at", {}, { "Mcp-Param-Region": "eu" }],
    ["numbers by value", { options: { count: 42 } }, { "Mcp-Param-Count": "42.0" }],
    ["booleans in lower case", { dry: true }, { "Mcp-Param-Dry": "true" }],
    ["base64 of UTF-8", { region: "Zürich" }, { "Mcp-Param-Region": "=?base64?WsO8cmljaA==?=" }],
    ["inherited properties are none", Object.create({ region: "eu" }) as object, {}],
  ])("%s", (_, args, headers) => {
    expect(mismatch(args, headers)).toBeUndefined();
  });
});

describe("disagreement", () => {
  test.each([
    ["missing", { region: "eu" }, {}, "The body has a value for `region`, but the header Mcp-Param-Region is missing."],
    [
      "other text",
      { region: "eu" },
      { "Mcp-Param-Region": "us" },
      "The header Mcp-Param-Region and `region` of the body disagree.",
    ],
    [
      "other number",
      { options: { count: 1 } },
      { "Mcp-Param-Count": "2" },
      "The header Mcp-Param-Count and `options.count` of the body disagree.",
    ],
    [
      "number that is none",
      { options: { count: 1 } },
      { "Mcp-Param-Count": "0x1" },
      "The header Mcp-Param-Count and `options.count` of the body disagree.",
    ],
    [
      "broken base64",
      { region: "eu" },
      { "Mcp-Param-Region": "=?base64?ZXU?=" },
      "The header Mcp-Param-Region is not valid base64 of UTF-8 text.",
    ],
    [
      "base64 of other bytes",
      { region: "eu" },
      { "Mcp-Param-Region": "=?base64?/w==?=" },
      "The header Mcp-Param-Region is not valid base64 of UTF-8 text.",
    ],
  ])("%s", (_, args, headers, text) => {
    expect(mismatch(args, headers as Record<string, string>)).toBe(text);
  });
});
