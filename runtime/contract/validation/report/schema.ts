import type { JsonSchema, JsonValue } from "../../contract.ts";

/**
 * A full schema as the emitter writes it, with the keywords that it uses and no others. No sub-schema is `true`. The
 * only sub-schemas that are `false` stand for keys that must be missing, and for elements after the end of a tuple.
 * Schemas that an author wrote, such as a file of `@inputSchema`, are shown to callers and never read as this type.
 */
export interface FullSchema {
  readonly $comment?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FullSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly anyOf?: readonly FullSchema[];
  readonly allOf?: readonly FullSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: FullSchema | false;
  readonly prefixItems?: readonly FullSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, FullSchema | false>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, FullSchema>>;
  readonly additionalProperties?: FullSchema | false;
}

/** Reads a schema that came as plain JSON. */
export function asFullSchema(schema: JsonSchema): FullSchema {
  return schema as FullSchema;
}

/** Follows references into the root's `$defs`; returns the schema itself when it is not a reference. */
export function resolveSchema(schema: FullSchema, root: FullSchema): FullSchema {
  let target = schema;
  // The limit on steps stops at a reference that leads back to itself.
  for (let steps = 0; steps < 100; steps++) {
    const name = refName(target);
    if (name === undefined) return target;
    target = root.$defs?.[name] ?? {};
  }
  return {};
}

/** The part of a reference after `#/$defs/`, which is the key in `$defs`. */
export function refName(schema: FullSchema): string | undefined {
  if (schema.$ref === undefined) return undefined;
  return decodeURIComponent(schema.$ref.slice("#/$defs/".length)).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The JSON types that a schema names, references resolved; `undefined` when it names none. */
export function schemaTypes(schema: FullSchema, root: FullSchema): readonly string[] | undefined {
  const { type, anyOf } = resolveSchema(schema, root);
  if (type !== undefined) return typeof type === "string" ? [type] : type;
  if (anyOf === undefined) return undefined;
  const types = anyOf.map((member) => schemaTypes(member, root));
  return types.every((entry) => entry !== undefined) ? types.flat() : undefined;
}

/** The JSON type of a wire value; `undefined` for a value that JSON cannot hold. */
export function jsonTypeOf(value: unknown): string | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isFinite(value) ? "number" : undefined;
  return typeof value === "string" || typeof value === "boolean" || typeof value === "object"
    ? typeof value
    : undefined;
}

/** True for a value of one of the named JSON types. `integer` means a number without a fractional part. */
export function isOfType(value: unknown, types: readonly string[]): boolean {
  const type = jsonTypeOf(value);
  return type !== undefined && (types.includes(type) || (types.includes("integer") && Number.isInteger(value)));
}
