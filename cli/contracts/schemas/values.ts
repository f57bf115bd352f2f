import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import { elementsOf, fillArray } from "./array-shape.ts";
import type { Atom } from "./atoms.ts";
import { numberCandidates } from "./numbers.ts";
import { patternTexts } from "./pattern-texts.ts";
import type { Side } from "./side.ts";
import { stringCandidates } from "./string-candidates.ts";

/** Values of a part of a schema, all of them valid; simple ones first. */
export type Values = (schema: FullSchema) => readonly unknown[];

const most = 8;
const deepest = 12;
/** Values for a schema that accepts everything. */
const anything: readonly unknown[] = ["a", 0, null, true, {}, [], 1.5, "", { a: 1 }, ["a"]];
const freshKeys = ["other", "key1", "key2"];

/** Creates a function that makes valid values for the schema of one contract, with a cache for each part. */
export function openValues(side: Side): Values {
  const made = new Map<FullSchema, readonly unknown[]>();
  let depth = 0;

  const values: Values = (schema) => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    // Recursive structures are cut at this depth: only values without further parts are used.
    if (depth >= deepest) return [];
    made.set(schema, []);
    depth++;
    const found = take(schema, candidates(schema));
    depth--;
    made.set(schema, found);
    return found;
  };

  function take(schema: FullSchema, all: Iterable<unknown>): readonly unknown[] {
    const found = new Map<string, unknown>();
    let tries = 0;
    for (const value of all) {
      if (found.size >= most || tries++ > 400) break;
      const text = JSON.stringify(value);
      if (!found.has(text) && side.accepts(schema, value, true)) found.set(text, value);
    }
    return [...found.values()];
  }

  function* candidates(schema: FullSchema): Iterable<unknown> {
    const { examples, default: fallback } = schema as { readonly examples?: unknown; readonly default?: unknown };
    if (Array.isArray(examples)) yield* examples.slice(0, 2);
    if (fallback !== undefined) yield fallback;
    const sources = side.atoms(schema).map((atom) => take(schema, ofAtom(atom)));
    for (let index = 0; index < most; index++) {
      for (const source of sources) if (index < source.length) yield source[index];
    }
  }

  function ofAtom(atom: Atom): Iterable<unknown> {
    switch (atom.kind) {
      case "value":
        return [atom.value];
      case "any":
        return anything;
      case "number":
        return numberCandidates(atom.schema);
      case "string":
        return stringCandidates(atom.schema);
      case "array":
        return arrays(atom.schema);
      case "object":
        return objects(atom.schema);
    }
  }

  function* arrays(schema: FullSchema): Iterable<unknown> {
    const { least, most: mostItems } = elementsOf(schema);
    for (const size of [least, least + 1, least + 2, least + 3]) {
      if (size <= mostItems) yield fillArray(schema, size, values);
    }
    yield fillArray(schema, least + 1, (part) => values(part).slice(1));
  }

  function* objects(schema: FullSchema): Iterable<unknown> {
    const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema;
    const declared = Object.entries(properties).flatMap(([key, part]) =>
      part === false ? [] : [[key, part] as const],
    );
    const entry = ([key, part]: readonly [string, FullSchema], index = 0): [string, unknown][] => {
      const found = values(part);
      return found.length === 0 ? [] : [[key, found[Math.min(index, found.length - 1)]]];
    };
    const needed = declared.filter(([key]) => required.includes(key));
    const others = required
      .filter((key) => !Object.hasOwn(properties, key))
      .map((key): [string, FullSchema] => [key, additionalProperties || {}]);
    const base = [...needed, ...others].flatMap((one) => entry(one));
    yield Object.fromEntries(base);
    yield Object.fromEntries([...base, ...declared.flatMap((one) => entry(one))]);
    for (const one of declared) {
      for (let index = 0; index < most; index++) yield Object.fromEntries([...base, ...entry(one, index)]);
    }
    for (const [pattern, part] of Object.entries(patternProperties)) {
      const key = patternTexts(pattern).find((text) => !Object.hasOwn(properties, text));
      if (key !== undefined) yield Object.fromEntries([...base, ...entry([key, part])]);
    }
    if (additionalProperties) {
      for (const key of freshKeys) yield Object.fromEntries([...base, ...entry([key, additionalProperties])]);
    }
  }

  return values;
}
