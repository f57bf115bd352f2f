/** The TypeScript type that is generated for a schema. Plain data without objects of the compiler. */
export interface Shape {
  readonly core: Core;
  /** Lines of constraint tags, such as `@minLength 1`. */
  readonly tags: readonly string[];
  readonly description?: string;
  readonly optional?: true;
  /** The default as JSON. */
  readonly fallback?: string;
}

/** A type with a name, declared in the module that is generated from the schema's file. */
export interface NamedType {
  /** Preliminary until the schema has been read: another type may already have the name. */
  name: string;
  /** Absolute path of the original file. */
  readonly file: string;
  /** Undefined while the schema is being read: a recursive schema refers to its own name before that. */
  shape?: Shape;
}

export type Core =
  | { readonly kind: "text"; readonly text: string; readonly base?: "string" | "number" | "bigint" | "date" }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Shape>; readonly index?: Shape }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "tuple"; readonly items: readonly Shape[]; readonly rest?: Shape }
  | { readonly kind: "generic"; readonly name: string; readonly of: readonly Shape[] }
  | { readonly kind: "union" | "both"; readonly members: readonly Shape[] }
  | { readonly kind: "named"; readonly type: NamedType };

/** Makes a shape without constraints. */
export function shapeOf(core: Core): Shape {
  return { core, tags: [] };
}

/** Makes a shape from the text of a type. */
export function textShape(text: string, base?: "string" | "number" | "bigint" | "date"): Shape {
  return shapeOf({ kind: "text", text, ...(base !== undefined && { base }) });
}

/** Makes the union of several shapes. It is optional if one of them is. */
export function unionOf(members: readonly Shape[]): Shape {
  const isOptional = members.some(({ optional }) => optional === true);
  return { ...shapeOf({ kind: "union", members }), ...(isOptional && { optional: true }) };
}

/** Replaces a named type by its shape. Texts, optionality and default of the reference take precedence. */
export function unnamed(shape: Shape, depth = 0): Shape {
  if (shape.core.kind !== "named" || shape.core.type.shape === undefined || depth > 20) return shape;
  const inner = unnamed(shape.core.type.shape, depth + 1);
  return { ...inner, ...shape, core: inner.core, tags: [...inner.tags, ...shape.tags] };
}

/** The fields of an object; undefined for other shapes. An intersection has the fields of all its members. */
export function fieldsOf(shape: Shape): ReadonlyMap<string, Shape> | undefined {
  const { core } = unnamed(shape);
  if (core.kind === "object") return core.fields;
  if (core.kind !== "both") return undefined;
  const all = core.members.map(fieldsOf);
  return all.includes(undefined) ? undefined : new Map(all.flatMap((fields) => [...(fields ?? [])]));
}

/** Makes an object's shape with other fields. */
export function withFields(shape: Shape, fields: ReadonlyMap<string, Shape>): Shape {
  const { core } = unnamed(shape);
  const index = core.kind === "object" ? core.index : undefined;
  return shapeOf({ kind: "object", fields, ...(index !== undefined && { index }) });
}

/** Makes a shape that also accepts `null`. */
export function nullable(shape: Shape): Shape {
  // The tags stay on the whole union: tags of a field apply to the members that are not null.
  const members = [shapeOf(shape.core), textShape("null")];
  return { ...shape, core: { kind: "union", members } };
}
