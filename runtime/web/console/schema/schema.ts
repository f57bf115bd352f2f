import { isRecord, type Json } from "../base/json.ts";

/** A JSON Schema (2020-12), with the keywords that tenon writes. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema | false>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
}

/** Maximum number of references in a chain. */
const longestChain = 20;

/** Returns the name of the definition to which a reference leads. */
export function definitionName(reference: string): string {
  return decodeURIComponent(reference.split("/").pop() ?? "")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

/** The schema at the end of its references; texts beside a reference take precedence. */
export function resolve(schema: Schema, root: Schema): Schema {
  let at = schema;
  for (let turn = 0; at.$ref !== undefined && turn < longestChain; turn++) {
    const target = root.$defs?.[definitionName(at.$ref)];
    if (target === undefined) return {};
    const { $ref: _, ...beside } = at;
    at = { ...target, ...beside };
  }
  return at;
}

/** The values that a schema lists; undefined if it does not list its values. */
export function valuesOf({ const: only, enum: several }: Schema): readonly Json[] | undefined {
  return only === undefined ? several : [only];
}

/** The types that a schema names; a constant or an enumeration names those of its values. */
export function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (type !== undefined) return type;
  const values = valuesOf(schema);
  if (values !== undefined) return [...new Set(values.map(typeOf))];
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ["object"];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ["array"];
  return [];
}

/** The alternatives of a union; undefined for anything else. */
export function choicesOf(schema: Schema): readonly Schema[] | undefined {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices;
  if (valuesOf(schema) !== undefined) return undefined;
  const types = typesOf(schema);
  const { title: _, ...untitled } = schema;
  return types.length > 1 ? types.map((type) => ({ ...untitled, type })) : undefined;
}

/** The values of an enumeration, each with its name and the author's words; undefined for anything else. */
export function literalsOf(
  schema: Schema,
  root: Schema,
): readonly (readonly [value: Json, name: string])[] | undefined {
  const { const: only, title, description } = schema;
  const values = valuesOf(schema);
  if (values !== undefined)
    return values.map((value) => {
      const name = title ?? (typeof value === "string" ? value : JSON.stringify(value));
      return [value, description === undefined || only === undefined ? name : `${name} – ${description.slice(0, 100)}`];
    });
  if (schema.type === "null") return [[null, "null"]];
  const choices = (schema.anyOf ?? schema.oneOf)?.map((choice) => literalsOf(resolve(choice, root), root));
  return choices?.every((choice) => choice !== undefined) === true ? choices.flat() : undefined;
}

/** The fields of an object that a caller may write, in the author's order: all but an optional version. */
export function fieldsOf(schema: Schema): readonly (readonly [key: string, schema: Schema])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
    !isRecord(field) || (key === "$schema" && field.const !== undefined && !isRequired(schema, key))
      ? []
      : [[key, field] as const],
  );
}

/** True for a field that an object must have. */
export function isRequired({ required }: Schema, key: string): boolean {
  return required?.includes(key) === true;
}

/** The schema of an item of a list; the elements of a tuple come first. */
export function itemOf({ prefixItems, items }: Schema, index: number): Schema {
  return prefixItems?.[index] ?? (items || {});
}

/**
 * The schema of the values of a map, that is, of keys that an object type does not name. Undefined for anything else.
 */
export function entryOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

export function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** True for an object with fields or entries that a caller may write. */
export function hasFields(schema: Schema): boolean {
  return fieldsOf(schema).length > 0 || entryOf(schema) !== undefined;
}
