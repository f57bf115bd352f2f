import type { JsonValue } from "../../../runtime/contract/contract.ts";
import { type FullSchema, resolveSchema } from "../../../runtime/contract/validation/report/schema.ts";

/** One alternative of a schema: a single value, or the values of one JSON type under its keywords. */
export type Atom =
  | { readonly kind: "any" | "number" | "string" | "array" | "object"; readonly schema: FullSchema }
  | { readonly kind: "value"; readonly schema: FullSchema; readonly value: JsonValue };

/** Maximum depth, at which the expansion of a union that refers to itself ends. */
const deepest = 50;

/**
 * Splits a schema into its alternatives, so that different notations are equal: references are followed, unions
 * flattened, `type` lists split; booleans, `null`, `const` and `enum` become single values.
 */
export function atomsOf(schema: FullSchema, root: FullSchema, depth = 0): readonly Atom[] {
  const target = resolveSchema(schema, root);
  if (target.anyOf !== undefined) {
    return depth > deepest ? [] : target.anyOf.flatMap((member) => atomsOf(member, root, depth + 1));
  }
  if (target.const !== undefined) return [{ kind: "value", schema: target, value: target.const }];
  if (target.enum !== undefined) return target.enum.map((value) => ({ kind: "value", schema: target, value }));
  if (target.type === undefined) return [{ kind: "any", schema: target }];
  if (typeof target.type === "string") return atomsOfType(target.type, target);
  return target.type.flatMap((type) => atomsOfType(type, { ...target, type }));
}

function atomsOfType(type: string, schema: FullSchema): readonly Atom[] {
  switch (type) {
    case "null":
      return [{ kind: "value", schema, value: null }];
    case "boolean":
      return [true, false].map((value) => ({ kind: "value", schema, value }));
    case "integer":
    case "number":
      return [{ kind: "number", schema }];
    case "string":
    case "array":
    case "object":
      return [{ kind: type, schema }];
    default:
      return [];
  }
}

/** Returns the kind of alternatives that may accept a value. */
export function kindOf(value: unknown): Atom["kind"] {
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "number" || type === "string" ? type : value !== null && type === "object" ? "object" : "value";
}
