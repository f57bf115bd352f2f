import type { JsonSchema, Problem } from "../../../runtime/contract/contract.ts";
import { hasNoProblem, reportProblems } from "../../../runtime/contract/validation/report/report.ts";
import { asFullSchema, type FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import { type Atom, atomsOf } from "./atoms.ts";
import { isObject } from "../../../runtime/contract/validation/json-value.ts";

const maps: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);
const lists: ReadonlySet<string> = new Set(["anyOf", "allOf", "oneOf", "prefixItems"]);
const singles: ReadonlySet<string> = new Set(["items", "additionalProperties"]);
/** Keywords for which the validator knows `false`: there it refuses an element or a key, and not a value. */
const closing: ReadonlySet<string> = new Set(["properties", "items", "additionalProperties"]);

/** Accepts nothing. */
const nothing = { enum: [] };

/** A schema of one of the two contracts, with the validator that tenon makes from it. */
export interface Side {
  readonly root: FullSchema;
  /** Alternatives of a part of the schema. For equal parts, the same objects are returned. */
  atoms(schema: FullSchema): readonly Atom[];
  /** Validates a value against a part of the schema. `strict`: undeclared keys are refused as well. */
  accepts(schema: FullSchema, value: unknown, strict?: boolean): boolean;
  /** Problems of a value when it is validated against the whole schema. */
  problems(value: unknown): readonly Problem[];
}

/** Prepares a schema for comparison. */
export function openSide(given: JsonSchema): Side {
  const root = asFullSchema(plainForm(given) as JsonSchema);
  const atoms = new Map<FullSchema, readonly Atom[]>();
  const parts = new Map<FullSchema, JsonSchema>([[root, root as JsonSchema]]);
  const partOf = (schema: FullSchema): JsonSchema => {
    let part = parts.get(schema);
    if (part === undefined) {
      part = { ...schema, ...(root.$defs && { $defs: root.$defs }) } as JsonSchema;
      parts.set(schema, part);
    }
    return part;
  };
  return {
    root,
    atoms(schema) {
      let known = atoms.get(schema);
      if (known === undefined) {
        known = atomsOf(schema, root);
        atoms.set(schema, known);
      }
      return known;
    },
    accepts: (schema, value, strict = false) => hasNoProblem(partOf(schema), value, { strict }),
    problems: (value) => reportProblems(root as JsonSchema, value),
  };
}

/**
 * A schema from elsewhere in the form that the validator supports: `true` becomes a schema without keywords, and
 * `false`, `{ not: {} }` and `{ not: true }` become an empty union.
 */
function plainForm(schema: unknown): unknown {
  if (typeof schema === "boolean") return schema ? {} : nothing;
  if (!isObject(schema)) return schema;
  const { not } = schema;
  if (not === true || (isObject(not) && Object.keys(not).length === 0)) return nothing;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      key === "not" && value === false ? [] : [[key, keywordOf(key, value)] as const],
    ),
  );
}

/** The value of a keyword, with all schemas in it. Values that are data, such as those of `enum`, stay as they are. */
function keywordOf(key: string, value: unknown): unknown {
  const inner = (part: unknown): unknown => (part === false && closing.has(key) ? part : plainForm(part));
  if (singles.has(key)) return inner(value);
  if (lists.has(key) && Array.isArray(value)) return value.map(inner);
  if (maps.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]));
  return value;
}
