import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { follow, type Followed, keyOf } from "../base/follow.ts";
import { staticText, staticValue } from "../base/static-value.ts";
import type { ZodReading } from "./zod-reading.ts";
import { madeOptional } from "./zod-version.ts";
import { fieldsOf, type Shape, shapeOf, textShape, withFields } from "../base/shape.ts";

/** Reads an object literal whose values are schemas. */
export function readObject(reading: ZodReading, from: Followed): Shape {
  return shapeOf({ kind: "object", fields: readFields(reading, from) });
}

/** Reads the fields of an object literal, of `schema.shape`, or of a name for one of these. */
export function readFields(reading: ZodReading, from: Followed): ReadonlyMap<string, Shape> {
  const { context } = reading;
  const { node, bound } = follow(context, from);
  if (!ts.isObjectLiteralExpression(node)) return fieldsOf(reading.read({ node, bound })) ?? new Map();
  const fields = new Map<string, Shape>();
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      for (const [key, field] of readFields(reading, { node: property.expression, bound })) fields.set(key, field);
      continue;
    }
    const key = keyOf(property) ?? computedKey(reading, property, from);
    const value = valueOf(property);
    if (key === undefined || value === undefined)
      leaveOpen(context, property, "a field whose name is known only at run time", "add it to the type");
    else fields.set(key, reading.read({ node: value, bound }));
  }
  return fields;
}

function computedKey(
  { context }: ZodReading,
  { name }: ts.ObjectLiteralElementLike,
  { bound }: Followed,
): string | undefined {
  return name !== undefined && ts.isComputedPropertyName(name)
    ? staticText(context, name.expression, bound)
    : undefined;
}

/** Returns the schema of a property. In zod 4, a property of a recursive object is a getter that returns the schema. */
function valueOf(property: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(property)) return property.initializer;
  if (ts.isShorthandPropertyAssignment(property)) return property.name;
  if (!ts.isGetAccessorDeclaration(property)) return undefined;
  const [only] = property.body?.statements ?? [];
  return only !== undefined && ts.isReturnStatement(only) ? only.expression : undefined;
}

/** Applies `schema.pick({ a: true })`, `omit`, `partial` or `required`, with or without a mask. */
export function maskFields(
  reading: ZodReading,
  shape: Shape,
  method: string,
  call: ts.CallExpression,
  mask: Followed | undefined,
): Shape {
  const fields = fieldsOf(shape);
  if (fields === undefined) return shape;
  const value = mask && staticValue(reading.context, mask)?.value;
  const named = value !== null && typeof value === "object" ? Object.keys(value) : undefined;
  const isNamed = (key: string): boolean => named?.includes(key) ?? true;
  const entries = [...fields].flatMap(([key, field]): readonly [string, Shape][] => {
    if (method === "pick") return isNamed(key) ? [[key, field]] : [];
    if (method === "omit") return isNamed(key) ? [] : [[key, field]];
    if (!isNamed(key)) return [[key, field]];
    const { optional: _, ...rest } = field;
    return [[key, method === "required" ? rest : madeOptional(field, call)]];
  });
  return withFields(shape, new Map(entries));
}

/** Applies `schema.extend(fields)`, `merge(schema)`, and other methods that add fields. */
export function extendFields(reading: ZodReading, shape: Shape, more: Followed): Shape {
  const { node, bound } = follow(reading.context, more);
  const added = ts.isObjectLiteralExpression(node)
    ? readFields(reading, { node, bound })
    : (fieldsOf(reading.read(more)) ?? new Map<string, Shape>());
  return withFields(shape, new Map([...(fieldsOf(shape) ?? []), ...added]));
}

/** Applies `schema.keyof()`: the union of the fields' names. */
export function keysOf(shape: Shape): Shape {
  const names = [...(fieldsOf(shape)?.keys() ?? [])].map((key) => JSON.stringify(key));
  return textShape(names.length === 0 ? "never" : names.join(" | "));
}
