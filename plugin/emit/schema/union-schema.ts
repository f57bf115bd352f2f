import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import type { LiteralType, TypeModel, TypeTexts, UnionType } from "../../model/type.ts";
import type { SchemaContext } from "./schema-context.ts";
import { shapeKey } from "../facts/shape-key.ts";

type Literal = LiteralType["value"];

/**
 * Makes the schema of a union, as simple as possible for hosts: one `enum` for literals, one `type` array for scalars
 * of different JSON types (whose keywords do not overlap), and `anyOf` for the rest.
 */
export function unionSchema(
  type: UnionType,
  context: SchemaContext,
  typeSchema: (type: TypeModel, context: SchemaContext) => JsonSchema,
): JsonSchema {
  const members = membersOf(type);
  if (members.some((member) => member.kind === "unknown")) return {};
  const literals = members.filter(isPlainLiteral).map((member) => member.value);
  const scalars = members.filter(isScalar).map((member) => typeSchema(member, context));
  const others = members
    .filter((member) => !isScalar(member) && !isPlainLiteral(member))
    .map((member) => typeSchema(member, context));
  const values = literals.filter((value) => value !== null);
  const parts: JsonSchema[] = [];
  const nullable = literals.includes(null);
  let nullIsIn = !nullable;
  if (values.length > 0) {
    // `true | false` becomes a boolean, also among other literals.
    const both = values.includes(true) && values.includes(false);
    const rest = both ? values.filter((value) => typeof value !== "boolean") : values;
    if (both && !scalars.some((schema) => schema["type"] === "boolean")) scalars.push({ type: "boolean" });
    if (rest.length > 0) {
      parts.push(enumSchema(nullIsIn ? rest : [...rest, null]));
      nullIsIn = true;
    }
  }
  const merged = mergeScalars(scalars, nullIsIn);
  if (merged !== undefined && scalars.length > 0) {
    parts.push(merged);
    nullIsIn = true;
  } else parts.push(...scalars);
  parts.push(...others);
  if (!nullIsIn) parts.push({ type: "null" });
  return parts.length === 1 ? (parts[0] ?? {}) : { anyOf: parts };
}

/**
 * The members of a union. A nested union without annotations of its own is replaced by its members. Members that are
 * equal in shape and annotations are listed once.
 */
function membersOf(type: UnionType): readonly TypeModel[] {
  const flat = type.members.flatMap((member) =>
    member.kind === "union" && !isDescribed(member) ? membersOf(member) : [member],
  );
  const seen = new Set<string>();
  return flat.filter((member) => {
    const key = shapeKey(member) + JSON.stringify(annotations.map((name) => (member as TypeTexts)[name]));
    return !seen.has(key) && seen.add(key);
  });
}

function isDescribed(type: TypeModel): boolean {
  return annotations.some((name) => name in type);
}

/** True for a literal without a description, since an `enum` cannot hold descriptions. */
function isPlainLiteral(type: TypeModel): type is LiteralType {
  return type.kind === "literal" && !isDescribed(type);
}

function isScalar(type: TypeModel): boolean {
  return ["boolean", "string", "template", "number", "date", "url", "bigint", "bytes"].includes(type.kind);
}

function enumSchema(values: readonly Literal[]): JsonSchema {
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  if (values.length === 1 && values[0] !== undefined) return { type: types[0] ?? "string", const: values[0] };
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

const annotations = ["title", "description", "deprecated", "examples"] as const;

/** Merges scalars with different JSON types into one schema; `undefined` when two of them have the same type. */
function mergeScalars(scalars: readonly JsonSchema[], nullIsIn: boolean): JsonSchema | undefined {
  // Scalars with annotations are not merged: the annotations of one member must not apply to the others.
  if (scalars.length > 1 && scalars.some((schema) => annotations.some((name) => name in schema))) return undefined;
  const types = scalars.map((schema) => (schema["type"] === "integer" ? "number" : schema["type"]));
  if (new Set(types).size !== types.length) return undefined;
  const only = scalars.length === 1 ? scalars[0] : undefined;
  if (only !== undefined && nullIsIn) return only;
  const { $comment, ...keywords } = Object.assign({}, ...scalars) as JsonSchema;
  const type = [...scalars.map((schema) => schema["type"] as string), ...(nullIsIn ? [] : ["null"])];
  // `$comment` names the author's type. It is dropped if there are several scalars, since it would describe only one;
  // that of a bigint names the others as well, since it is what clients know a bigint by.
  const isKept = typeof $comment === "string" && (only !== undefined || $comment.startsWith("integer as a string"));
  const others = type.filter((_, index) => scalars[index]?.["$comment"] === undefined);
  return { ...(isKept && { $comment: [$comment, ...others].join(" | ") }), ...keywords, type };
}
