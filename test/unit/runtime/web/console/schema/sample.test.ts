import { describe, expect, test, vi } from "vitest";
import type { Json } from "../../../../../../runtime/web/console/base/json.ts";
import { nextItem, sampleOf } from "../../../../../../runtime/web/console/schema/sample.ts";
import { type Schema, choicesOf, fieldsOf, resolve } from "../../../../../../runtime/web/console/schema/schema.ts";
import { reportProblems } from "../../../../../../runtime/contract/validation/report/report.ts";
import { goldenTools } from "../../../../../support/golden-tools.ts";

const asking = goldenTools().filter(({ tool }) => tool.functions.isRequest !== undefined);

/** Levels of the form that are opened. */
const deepest = 3;

/** All requests that one press of a button in the form makes of a value: a field added, another type, one more item. */
function* pressed(schema: Schema, root: Schema, value: Json, depth = 0): Generator<Json> {
  if (depth > deepest) return;
  const at = resolve(schema, root);
  const choices = choicesOf(at);
  for (const choice of choices ?? []) {
    const chosen = sampleOf(choice, root);
    yield chosen;
    yield* pressed(choice, root, chosen, depth + 1);
  }
  // A list that is one of several choices is filled in its own form.
  if (choices === undefined && Array.isArray(value)) {
    const { format, maxLength = 100 } = resolve(at.items === false ? {} : (at.items ?? {}), root);
    // There is no address that is so short.
    if (format === "email" && maxLength < 6) return;
    if (at.items === false || value.length >= (at.maxItems ?? Infinity)) return;
    const item = nextItem(at, value, root);
    yield [...value, item];
    for (const next of pressed(at.items ?? {}, root, item, depth + 1)) yield [...value, next];
  }
  for (const [key, field] of fieldsOf(at)) {
    const record = value as Readonly<Record<string, Json>>;
    const own = Object.hasOwn(record, key) ? (record[key] as Json) : sampleOf(field, root);
    yield { ...record, [key]: own };
    for (const next of pressed(field, root, own, depth + 1)) yield { ...record, [key]: next };
  }
}

describe("requests that forms begin with are valid", () => {
  test("there are schemas to try", () => expect(asking.length).toBeGreaterThan(30));

  test.each(asking.map((one) => [one.tool.name, one] as const))("%s", (_, { tool }) => {
    const schema = (tool.definition.request?.schema ?? {}) as Schema;
    const first = sampleOf(schema, schema);
    const refused = [first, ...pressed(schema, schema, first)].filter(
      (value) => tool.functions.isRequest?.(value as never) !== true,
    );
    const told = refused
      .slice(0, 3)
      .map((value) => ({ value, problems: reportProblems(schema as never, value as never) }));
    expect(told).toEqual([]);
  });
});

test("a date begins as the day where the page is", () => {
  vi.useFakeTimers({ now: new Date("2026-11-28T00:58:00Z") });
  vi.stubEnv("TZ", "America/New_York");
  const sampled = ["date", "date-time"].map((format) => sampleOf({ type: "string", format }, {}));
  vi.unstubAllEnvs();
  vi.useRealTimers();
  expect(sampled).toEqual(["2026-11-27", "2026-11-28T00:58:00Z"]);
});

describe("requests of recursive types end", () => {
  const refer = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
  const object = (kind: string, fields: Readonly<Record<string, Schema>>): Schema => ({
    type: "object",
    properties: { kind: { const: kind }, ...fields },
    required: ["kind", ...Object.keys(fields)],
  });

  test("a union of objects whose first member contains it", () => {
    const schema: Schema = {
      ...refer("List"),
      $defs: {
        List: { anyOf: [refer("Cons"), refer("Pair"), refer("Nil")] },
        Cons: object("cons", { head: { type: "number" }, tail: refer("List") }),
        Pair: object("pair", { both: { type: "array", prefixItems: [refer("List"), refer("Cons")] } }),
        Nil: object("nil", {}),
      },
    };
    const text = JSON.stringify(sampleOf(schema, schema));
    expect(text).toMatch(/^(?:\{"kind":"cons","head":0,"tail":){3,}\{"kind":"nil"\}\}+$/);
  });

  test("a type that no value fits", () => {
    const schema: Schema = { ...refer("Node"), $defs: { Node: object("node", { next: refer("Node") }) } };
    expect(JSON.stringify(sampleOf(schema, schema))).toContain('"next":{}');
  });
});
