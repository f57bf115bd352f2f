import { ts } from "ts-morph";
import type { AdoptContext } from "../base/context.ts";
import { freeName, schemaTypeName } from "../base/names.ts";
import type { NamedType, Shape } from "../base/shape.ts";

/**
 * Gives a schema that is declared under a name a type of that name. Scalars without constraints, which a name would
 * only hide, stay as they are.
 */
export function nameSchema(context: AdoptContext, declaration: ts.VariableDeclaration, read: () => Shape): Shape {
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

/** A type has neither optionality nor a default: both stay with the field that refers to it. */
function referenceTo(type: NamedType, { optional, fallback }: Shape): Shape {
  return { ...reference(type), ...(optional && { optional }), ...(fallback !== undefined && { fallback }) };
}
