import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeResult } from "../../../../runtime/client/decode-result.ts";
import { encodeRequest } from "../../../../runtime/client/encode-request.ts";
import { planOfSchema } from "../../../../runtime/client/plan-of-schema.ts";
import { EqualItemsError } from "../../../../runtime/contract/validation/codecs/decode-distinct.ts";
import type { TypeModel } from "../../../../plugin/model/type.ts";
import { typeCases } from "../../plugin/emit/arbitrary-type.ts";
import { wireOf } from "../../plugin/emit/arbitrary-wire.ts";
import { loadField, loadTool, toolModel, type LoadedTool } from "../../plugin/emit/load-tool.ts";

const runs = Number(process.env["AGREEMENT_RUNS"] ?? 100);
const seed = Number(process.env["AGREEMENT_SEED"] ?? 20261123);

/** A result as its client has it. */
function received({ definition, encodeResult }: LoadedTool, value: unknown): unknown {
  const plan = planOfSchema(definition.result.schema);
  const wire: unknown = JSON.parse(JSON.stringify(encodeResult(value)));
  return plan === undefined ? wire : decodeResult(plan, wire);
}

test(`values of random types are the same on both sides (seed ${seed})`, { timeout: 700_000 }, () => {
  let compared = 0;
  const cases = typeCases.chain((typeCase) =>
    fc.record({ typeCase: fc.constant(typeCase), values: fc.array(wireOf(typeCase), { minLength: 6, maxLength: 8 }) }),
  );
  fc.assert(
    fc.property(cases, ({ typeCase: { type, definitions }, values }) => {
      const tool = loadTool(toolModel({ request: { type }, result: { kind: "json", type }, definitions }));
      for (const wire of values) {
        if (!tool.isRequest(wire)) continue;
        let value: unknown;
        try {
          value = tool.decodeRequest(wire);
        } catch (error) {
          if (error instanceof EqualItemsError) continue;
          throw error;
        }
        compared++;
        // The client sends what the function would take, and has what the function returns.
        const sent: unknown = JSON.parse(encodeRequest(value));
        expect({ type, sent, legal: tool.isRequest(sent) }).toEqual({ type, sent, legal: true });
        const types = JSON.stringify([type, definitions]);
        if (types.includes('"union"')) continue;
        expect({ type, value: received(tool, value) }).toEqual({ type, value });
      }
    }),
    { numRuns: runs, seed },
  );
  expect(compared).toBeGreaterThan(runs / 10);
});

const date: TypeModel = { kind: "date" };
const text: TypeModel = { kind: "string" };
const named = (kind: string, ...fields: readonly { readonly key: string; readonly type: TypeModel }[]): TypeModel => ({
  kind: "object",
  fields: [{ key: "kind", type: { kind: "literal", value: kind } }, ...fields],
});
const status = (...values: readonly string[]): TypeModel => ({
  kind: "union",
  members: values.map((value) => ({ kind: "literal", value })),
});
const object = (fields: Readonly<Record<string, TypeModel>>): TypeModel => ({
  kind: "object",
  fields: Object.entries(fields).map(([key, type]) => ({ key, type })),
});
const moment = new Date("2026-11-23T10:00:00.000Z");

test.each<[string, TypeModel, readonly unknown[]]>([
  ["a class or nothing", { kind: "union", members: [date, { kind: "literal", value: null }] }, [moment, null]],
  ["a class or a word", { kind: "union", members: [date, { kind: "literal", value: "now" }] }, [moment, "now"]],
  ["a number of two kinds", { kind: "union", members: [{ kind: "bigint" }, { kind: "number" }] }, [12n, 12]],
  ["a list or a text", { kind: "union", members: [{ kind: "set", items: date }, text] }, [new Set([moment]), "x"]],
  [
    "objects told apart by a field",
    {
      kind: "union",
      members: [named("at", { key: "value", type: date }), named("said", { key: "value", type: text })],
    },
    [
      { kind: "at", value: moment },
      { kind: "said", value: "2026-11-23T10:00:00.000Z" },
    ],
  ],
  [
    "objects told apart by a field of several values",
    {
      kind: "union",
      members: [
        {
          kind: "object",
          fields: [
            { key: "status", type: status("queued", "running") },
            { key: "detail", type: text },
          ],
        },
        {
          kind: "object",
          fields: [
            { key: "status", type: status("done", "failed") },
            { key: "detail", type: date },
          ],
        },
      ],
    },
    [
      { status: "running", detail: "2026-11-23T10:00:00.000Z" },
      { status: "failed", detail: moment },
    ],
  ],
  [
    "objects told apart by their keys",
    {
      kind: "union",
      members: [
        { kind: "object", fields: [{ key: "at", type: date }] },
        { kind: "object", fields: [{ key: "bytes", type: { kind: "bytes" } }] },
      ],
    },
    [{ at: moment }, { bytes: new Uint8Array([1]) }],
  ],
  [
    "an object that has the keys of several members",
    { kind: "union", members: [object({ a: date }), object({ b: date }), object({ c: { kind: "set", items: date } })] },
    [{ a: moment, b: moment, c: new Set([moment]) }, { b: moment }],
  ],
  [
    "an optional key of the second member",
    {
      kind: "union",
      members: ["when", "note"].map((key): TypeModel => ({
        kind: "object",
        fields: [
          { key: "id", type: text },
          { key, type: date, optional: true },
        ],
      })),
    },
    [
      { id: "a", note: moment },
      { id: "a", when: moment },
    ],
  ],
  [
    "a list of the second kind",
    { kind: "union", members: [object({ x: date }), date].map((items) => ({ kind: "array", items }) as const) },
    [[{ x: moment }], [moment], []],
  ],
  [
    "objects told apart by the kind of a field",
    {
      kind: "union",
      members: [object({ id: { kind: "number" }, at: date }), object({ id: text, at: text })],
    },
    [
      { id: 1, at: moment },
      { id: "1", at: "2026-11-23T10:00:00.000Z" },
    ],
  ],
  [
    "objects told apart by a word and a form of words",
    {
      kind: "union",
      members: [
        object({ id: { kind: "template", pattern: "^id-.*$", text: "`id-${string}`" }, at: date }),
        object({ id: { kind: "literal", value: "none" }, at: text }),
      ],
    },
    [
      { id: "id-1", at: moment },
      { id: "none", at: "2026-11-23T10:00:00.000Z" },
    ],
  ],
  [
    "a map of maps beside a declared key",
    {
      kind: "object",
      fields: [{ key: "plain", type: text }],
      index: { kind: "map", values: { kind: "url" } },
    },
    [{ plain: "x", more: new Map([["a", new URL("https://example.org/?q=1")]]) }],
  ],
])("in a union, %s stays what it was", (_, type, values) => {
  const tool = loadField(type);
  for (const value of values) expect(received(tool, { value })).toEqual({ value });
});

test("a type that contains itself, and members of a union by name", () => {
  const definitions: Readonly<Record<string, TypeModel>> = {
    Tree: {
      kind: "object",
      fields: [
        { key: "at", type: date },
        { key: "branches", type: { kind: "array", items: { kind: "ref", name: "Tree" } } },
      ],
    },
    Leaf: { kind: "object", fields: [{ key: "text", type: text }] },
  };
  const members: readonly TypeModel[] = [
    { kind: "ref", name: "Tree" },
    { kind: "ref", name: "Leaf" },
  ];
  const tool = loadField({ kind: "union", members }, definitions);
  const tree = { at: moment, branches: [{ at: moment, branches: [] }] };
  for (const value of [tree, { text: "x" }]) expect(received(tool, { value })).toEqual({ value });
});

test("objects told apart by a field of a named type with several values", () => {
  const definitions: Readonly<Record<string, TypeModel>> = {
    Open: status("queued", "running"),
    Over: status("done", "failed"),
  };
  const member = (name: string, detail: TypeModel): TypeModel => ({
    kind: "object",
    fields: [
      { key: "status", type: { kind: "ref", name } },
      { key: "detail", type: detail },
    ],
  });
  const tool = loadField({ kind: "union", members: [member("Open", text), member("Over", date)] }, definitions);
  for (const value of [
    { status: "queued", detail: "2026-11-23T10:00:00.000Z" },
    { status: "done", detail: moment },
  ])
    expect(received(tool, { value })).toEqual({ value });
});

test("a result without classes has no plan", () => {
  expect(planOfSchema(loadField(text).definition.result.schema)).toBeUndefined();
});

test.each([
  "https://x.org/?filter[name]=x",
  "https://x.org/a[0]",
  "https://x.org/100%",
  "https://x.org/#a#b",
  "http://[::1]/[a]",
])("a client writes the URL %s as the service does", (link) => {
  const tool = loadField({ kind: "url" });
  const sent: unknown = JSON.parse(encodeRequest({ value: new URL(link) }));
  expect(tool.isRequest(sent)).toBe(true);
  expect(sent).toEqual(tool.encodeResult({ value: new URL(link) }));
});
