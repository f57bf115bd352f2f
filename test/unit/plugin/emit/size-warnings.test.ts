import { expect, test } from "vitest";
import { emitTool } from "../../../../plugin/emit/tool-module.ts";
import type { FieldModel, TypeModel } from "../../../../plugin/model/type.ts";
import { describeTool } from "../../../../runtime/contract/definition/mcp-descriptor.ts";
import { toolModel } from "./load-tool.ts";
import { referee } from "./referee.ts";

const field = (key: string, type: TypeModel): FieldModel => ({ key, type, description: `The ${key}.` });
const ref = (name: string): TypeModel => ({ kind: "ref", name });

/** A tool whose request has these named types; the first is the request's only field. */
function toolOf(definitions: Readonly<Record<string, TypeModel>>) {
  const [first = ""] = Object.keys(definitions);
  const request = { type: { kind: "object", fields: [field("first", ref(first))] } } as const;
  const { definition, diagnostics } = emitTool(toolModel({ request, definitions }));
  return { sent: JSON.stringify(describeTool(definition)).length, diagnostics };
}

/** An object with a description of so many characters. */
const weighing = (size: number): TypeModel => ({
  kind: "object",
  fields: [{ ...field("text", { kind: "string" }), description: "x".repeat(size) }],
});

test("shared types stay shared where types that contain themselves would multiply them", () => {
  // Each of 30 types contains itself and ten places of a large one.
  const nodes = Array.from({ length: 30 }, (_, index): [string, TypeModel] => {
    const places = Array.from({ length: 10 }, (__, place) => field(`place${place}`, ref("Large")));
    const next = field("next", { kind: "array", items: ref(`Node${(index + 1) % 30}`) });
    return [`Node${index}`, { kind: "object", fields: [...places, next] }];
  });
  const { sent } = toolOf({ ...Object.fromEntries(nodes), Large: weighing(5000) });
  expect(sent).toBeLessThan(60_000);
});

test("a schema is measured as clients get it, and the type that weighs most is named", () => {
  const { sent, diagnostics } = toolOf({ Order: weighing(90_000), Line: weighing(20_000) });
  expect(sent).toBeGreaterThan(90_000);
  expect(diagnostics).toEqual([]);
  const large = toolOf({ Order: { kind: "object", fields: [field("line", ref("Line"))] }, Line: weighing(120_000) });
  expect(large.diagnostics).toMatchObject([
    {
      code: "TN504",
      message: expect.stringMatching(
        /^The schema of the request of tool `probe` has 120 kB. The type that weighs most is `Line`, 120 kB.$/,
      ),
      fix: expect.stringContaining("`Pick<Line, …>`"),
    },
  ]);
});

test("equal parts of a large schema are written once, also without a name, and descriptions stay in their places", () => {
  const nested = (depth: number): TypeModel =>
    depth === 0
      ? weighing(600)
      : { kind: "object", fields: ["a", "b", "c", "d"].map((key) => field(key, nested(depth - 1))) };
  const request = { type: { kind: "object", fields: [field("all", nested(5))] } } as const;
  const { definition, diagnostics } = emitTool(toolModel({ request }));
  const { inputSchema } = describeTool(definition);
  expect(JSON.stringify(inputSchema).length).toBeLessThan(6000);
  expect(inputSchema["properties"]).toMatchObject({ all: { description: "The all." } });
  const $defs = inputSchema["$defs"] as Record<string, { properties: object }>;
  expect(Object.keys($defs)).toHaveLength(5);
  expect($defs["Part1"]?.properties).toEqual(
    Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, { $ref: "#/$defs/Part2", description: `The ${key}.` }])),
  );
  // The schema in the service definition has no such parts.
  expect(diagnostics).toMatchObject([{ message: expect.stringContaining("The field that weighs most is `all.a`, ") }]);
  const isAccepted = referee(inputSchema);
  const value = (depth: number, text: unknown): unknown =>
    depth === 0 ? { text } : Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, value(depth - 1, text)]));
  expect([value(5, "x"), value(5, 1), value(4, "x")].map((all) => isAccepted({ all }))).toEqual([true, false, false]);
});

test("the entry of a tool is measured with its texts", () => {
  const { diagnostics } = emitTool(toolModel({ description: "ä".repeat(130_000) }));
  expect(diagnostics).toMatchObject([
    { code: "TN504", message: expect.stringMatching(/^The entry of tool `probe` in `tools\/list` has 260 kB\.$/) },
  ]);
});

test("a type is named only if it makes a tenth of what is too much", () => {
  const advice = (size: number): string | undefined => {
    const all: [string, TypeModel][] = Array.from({ length: 12 }, (_, index) => [
      `Part${index}`,
      weighing(size + index),
    ]);
    const fields = all.map(([name]) => field(name.toLowerCase(), ref(name)));
    return toolOf({ Order: { kind: "object", fields }, ...Object.fromEntries(all) }).diagnostics[0]?.message;
  };
  expect(advice(9500)).toMatch(/^The schema of the request of tool `probe` has 1\d\d kB\.(?! The type)/);
  expect(advice(10_500)).toContain("The type that weighs most is `Part11`");
});
