/** A schema as the TypeScript type that stands for it. Plain data: the compiler's objects end before it. */
export interface Shape {
  readonly core: Core;
  /** Lines of constraint tags, such as `@minLength 1`. */
  readonly tags: readonly string[];
  readonly description?: string;
  readonly optional?: true;
  /** The default as JSON. */
  readonly fallback?: string;
}

/** A type with a name of its own, declared in the module of the schema that it was made from. */
export interface NamedType {
  /** Final once the schema has been read. */
  name: string;
  /** Absolute path of the foreign file. */
  readonly file: string;
  /** Set once the schema has been read; a recursive schema meets its own name before. */
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

/** Makes a shape of a type's text. */
export function textShape(text: string, base?: "string" | "number" | "bigint" | "date"): Shape {
  return shapeOf({ kind: "text", text, ...(base !== undefined && { base }) });
}

/** One of several shapes. It may be missing if one of them may. */
export function unionOf(members: readonly Shape[]): Shape {
  const isOptional = members.some(({ optional }) => optional === true);
  return { ...shapeOf({ kind: "union", members }), ...(isOptional && { optional: true }) };
}

/** The shape behind names, with the outer texts, optionality and default. */
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

/** Returns a copy of an object's shape with other fields. */
export function withFields(shape: Shape, fields: ReadonlyMap<string, Shape>): Shape {
  const { core } = unnamed(shape);
  const index = core.kind === "object" ? core.index : undefined;
  return shapeOf({ kind: "object", fields, ...(index !== undefined && { index }) });
}

/** The same values, and null. */
export function nullable(shape: Shape): Shape {
  // Tags of a field apply to the part that is not null.
  const members = [shapeOf(shape.core), textShape("null")];
  return { ...shape, core: { kind: "union", members } };
}
