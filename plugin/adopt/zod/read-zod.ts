import { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { declarationOf, follow, followCall, type Followed, unbound } from "../base/follow.ts";
import { fieldsOf, type Shape, shapeOf, textShape, unnamed, type NamedType } from "../base/shape.ts";
import { applyMethod } from "./zod-methods.ts";
import { readObject } from "./zod-objects.ts";
import type { ZodReading } from "./zod-reading.ts";
import { readType } from "./read-type.ts";
import { readRoot } from "./zod-roots.ts";
import { freeName, schemaTypeName } from "../base/names.ts";

/** Creates the reader of schemas. */
export function openZod(context: AdoptContext): ZodReading {
  const reading: ZodReading = { context, read: (from) => readSchema(reading, from) };
  return reading;
}

/** Reads a schema, or an object literal whose values are schemas, such as the `inputSchema` of the MCP SDK. */
export function readSchemaOrFields(reading: ZodReading, from: Followed): Shape {
  const { node, bound } = follow(reading.context, from);
  return ts.isObjectLiteralExpression(node) ? readObject(reading, { node, bound }) : reading.read(from);
}

function readSchema(reading: ZodReading, from: Followed): Shape {
  const { context } = reading;
  const found = follow(context, from);
  const { declaration } = found;
  // A named schema becomes a named type. If the schema depends on parameters, each call makes a different one, so it
  // gets no name.
  if (declaration !== undefined && ts.isIdentifier(from.node) && found.bound.size === 0)
    return nameSchema(context, declaration, () => readFollowed(reading, { ...found, bound: unbound }));
  return readFollowed(reading, found);
}

function readFollowed(reading: ZodReading, from: Followed): Shape {
  const { node, bound } = from;
  const { context } = reading;
  if (ts.isCallExpression(node)) {
    const root = rootName(context, node.expression);
    if (root !== undefined) return readRoot(reading, root, node, bound);
    if (ts.isPropertyAccessExpression(node.expression)) {
      const inner = { node: node.expression.expression, bound };
      if (isZod(context, inner)) return applyMethod(reading, inner, node.expression.name.text, node, bound);
    }
    const result = followCall(context, from);
    if (result !== undefined) return reading.read(result);
    const [type] = node.typeArguments ?? [];
    if (type !== undefined && node.arguments.length === 0) return readType(reading, type);
  }
  if (ts.isPropertyAccessExpression(node)) {
    const part = readPart(reading, node, from);
    if (part !== undefined) return part;
  }
  leaveOpen(context, node, "a schema that is made at run time, or elsewhere", "write its type instead of `unknown`");
  return textShape("unknown");
}

/** Reads a part of another schema: `schema.shape`, `schema.shape.field` or `list.element`. */
function readPart(reading: ZodReading, node: ts.PropertyAccessExpression, { bound }: Followed): Shape | undefined {
  const { expression, name } = node;
  if (name.text === "shape" && isZod(reading.context, { node: expression, bound })) {
    const fields = fieldsOf(reading.read({ node: expression, bound }));
    return fields && shapeOf({ kind: "object", fields });
  }
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === "shape")
    return fieldsOf(reading.read({ node: expression.expression, bound }))?.get(name.text);
  if (name.text !== "element") return undefined;
  const { core } = unnamed(reading.read({ node: expression, bound }));
  return core.kind === "list" ? core.item : undefined;
}

/** True for a schema of zod, and for a method call on one. */
export function isZod(context: AdoptContext, from: Followed, depth = 0): boolean {
  const { node, bound } = follow(context, from);
  if (depth > 30) return false;
  if (ts.isCallExpression(node)) {
    if (rootName(context, node.expression) !== undefined) return true;
    if (ts.isPropertyAccessExpression(node.expression))
      return isZod(context, { node: node.expression.expression, bound }, depth + 1);
    const result = followCall(context, { node, bound });
    return result !== undefined && isZod(context, result, depth + 1);
  }
  return ts.isPropertyAccessExpression(node) && isZod(context, { node: node.expression, bound }, depth + 1);
}

/**
 * Returns the name of the zod function that is called: `string` for `z.string`, `iso.date` for `z.iso.date`; undefined
 * for other functions.
 */
function rootName(context: AdoptContext, callee: ts.Expression): string | undefined {
  if (ts.isIdentifier(callee)) {
    const specifier = context.checker.getSymbolAtLocation(callee)?.declarations?.find(ts.isImportSpecifier);
    return specifier !== undefined && isFromZod(specifier)
      ? (specifier.propertyName ?? specifier.name).text
      : undefined;
  }
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const { expression, name } = callee;
  if (ts.isIdentifier(expression)) return isZodName(context, expression) ? name.text : undefined;
  const isGroup =
    ts.isPropertyAccessExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    isZodName(context, expression.expression) &&
    (expression.name.text === "iso" || expression.name.text === "coerce");
  return isGroup ? `${expression.name.text}.${name.text}` : undefined;
}

function isZodName(context: AdoptContext, name: ts.Identifier): boolean {
  const declaration = context.checker.getSymbolAtLocation(name)?.declarations?.[0];
  if (declaration !== undefined && isFromZod(declaration)) return true;
  // The project may re-export zod from a file of its own, so any imported `z` counts.
  return name.text === "z" && (declaration === undefined || ts.isImportSpecifier(declaration));
}

function isFromZod(declaration: ts.Node): boolean {
  const statement = ts.findAncestor(declaration, ts.isImportDeclaration);
  return statement !== undefined && /(?:^|\/)zod(?:$|[-/])/.test((statement.moduleSpecifier as ts.StringLiteral).text);
}

/** Finds the declaration of a schema by its name, for types such as `z.infer<typeof name>`. */
export function schemaDeclaration(context: AdoptContext, name: ts.EntityName): ts.Declaration | undefined {
  const declaration = ts.isIdentifier(name) ? declarationOf(context, name) : undefined;
  return declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration : undefined;
}

/**
 * Makes a type for a schema that is declared under a name. A scalar without constraints gets none, since a name would
 * only hide what it is.
 */
function nameSchema(context: AdoptContext, declaration: ts.VariableDeclaration, read: () => Shape): Shape {
  const known = context.named.get(declaration);
  if (known !== undefined) return known.shape === undefined ? reference(known) : referenceTo(known, known.shape);
  const file = declaration.getSourceFile().fileName;
  const wanted = ts.isIdentifier(declaration.name) ? schemaTypeName(declaration.name.text) : "Shape";
  const type: NamedType = { name: wanted, file };
  context.named.set(declaration, type);
  const shape = read();
  if (isPlain(shape)) {
    context.named.delete(declaration);
    return shape;
  }
  type.name = freeName(wanted, context.namesOf(file));
  type.shape = shape;
  return referenceTo(type, shape);
}

function isPlain({ core, tags }: Shape): boolean {
  return core.kind === "named" || (core.kind === "text" && tags.length === 0 && core.text.length < 12);
}

function reference(type: NamedType): Shape {
  return { core: { kind: "named", type }, tags: [] };
}

/** Refers to a named type. A type can be neither optional nor have a default, so the reference keeps both. */
function referenceTo(type: NamedType, { optional, fallback }: Shape): Shape {
  return { ...reference(type), ...(optional && { optional }), ...(fallback !== undefined && { fallback }) };
}
