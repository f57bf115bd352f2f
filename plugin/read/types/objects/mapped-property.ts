import { ts } from "ts-morph";
import type { Bindings, TypeContext } from "../../base/type-context.ts";
import { meetInferred } from "../written/inferred-values.ts";
import { isMapped, linksOf, sourceOf, useOf } from "../written/property-source.ts";
import { splitUndefined } from "../written/split-undefined.ts";
import { writtenForValue } from "../written/written-values.ts";

/**
 * The place where the type of a property was written. A flag says whether the comments of that declaration apply to the
 * property.
 */
export interface PropertyOrigin {
  readonly node?: ts.TypeNode;
  /**
   * Set if the node is the template of a mapped type that contains the type of the property, such as `T[K] | null`: the
   * type of the property itself.
   */
  readonly inside?: { readonly key: ts.Symbol; readonly node: ts.TypeNode };
  /** False if a mapped type has changed the field's type: then only its texts are used. */
  readonly narrow: boolean;
}

/**
 * Finds the declaration in which the type of a property was written, through mapped types that keep the type, such as
 * `Partial` and `Pick`.
 */
export function originOf(context: TypeContext, property: ts.Symbol, bindings: Bindings): PropertyOrigin {
  const source = sourceOf(context, property, bindings);
  if (source !== property && isSameType(context, source, property)) return originOf(context, source, bindings);
  const declaration = source.valueDeclaration ?? source.declarations?.[0];
  let step: ts.Symbol | undefined = property;
  while (step !== undefined && isMapped(step)) {
    const { mappedType, syntheticOrigin = source === property ? undefined : source }: ReturnType<typeof linksOf> =
      linksOf(step);
    const template = mappedType?.declaration?.type;
    const use = template === undefined ? "other" : useOf(template, mappedType?.declaration);
    if (use !== "same") {
      if (use === "wrapped") {
        const inside = wrapped(context, mappedType?.declaration, declaration);
        if (template === undefined || inside === undefined || ts.isConditionalTypeNode(template)) break;
        return { narrow: true, node: template, inside };
      }
      const narrow = declaration !== undefined && isSameText(context, property, declaration);
      return { narrow, ...(template !== undefined && { node: template }) };
    }
    step = syntheticOrigin;
  }
  const isObject = step !== undefined && isMapped(step) && isObjectType(context, property);
  const node =
    declaration === undefined || isObject
      ? undefined
      : (typeNode(declaration) ?? inferredNode(context, property, declaration));
  return { narrow: true, ...(node !== undefined && { node }) };
}

/** Finds the written type of a field's initial value, if the field itself has no type. */
function inferredNode(context: TypeContext, property: ts.Symbol, declaration: ts.Declaration): ts.TypeNode | undefined {
  const value = ts.isShorthandPropertyAssignment(declaration)
    ? declaration.name
    : (declaration as { readonly initializer?: ts.Expression }).initializer;
  if (value === undefined || isMapped(property)) return undefined;
  const type = context.reading.checker.getTypeOfSymbol(property);
  const node = writtenForValue(context, value, type)?.node;
  if (node === undefined) meetInferred(context, value, type);
  return node;
}

function isSameType({ reading: { checker } }: TypeContext, one: ts.Symbol, other: ts.Symbol): boolean {
  const typeOf = (symbol: ts.Symbol): ts.Type | undefined => splitUndefined(checker.getTypeOfSymbol(symbol)).type;
  return typeOf(one) === typeOf(other);
}

function wrapped(
  context: TypeContext,
  mapped: ts.MappedTypeNode | undefined,
  declaration: ts.Declaration | undefined,
): PropertyOrigin["inside"] {
  const key = mapped && context.reading.checker.getSymbolAtLocation(mapped.typeParameter.name);
  const node = declaration && typeNode(declaration);
  return key === undefined || node === undefined ? undefined : { key, node };
}

/**
 * True if the type of the property is an object type other than an array. The result of a mapped type must not get the
 * name of the type that it was made from.
 */
function isObjectType(context: TypeContext, property: ts.Symbol): boolean {
  const { checker } = context.reading;
  const { type } = splitUndefined(checker.getTypeOfSymbol(property));
  return type !== undefined && (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(type);
}

/** True if a mapped type such as `{ [K in keyof User]: string }` leaves a text unchanged. */
function isSameText(context: TypeContext, property: ts.Symbol, declaration: ts.Declaration): boolean {
  const { checker } = context.reading;
  const name = ts.getNameOfDeclaration(declaration);
  const original = name === undefined ? undefined : checker.getSymbolAtLocation(name);
  if (original === undefined) return false;
  const before = splitUndefined(checker.getTypeOfSymbol(original));
  const after = splitUndefined(checker.getTypeOfSymbol(property));
  return (
    before.type !== undefined &&
    after.type !== undefined &&
    checker.typeToString(before.type) === checker.typeToString(after.type).replace(/ \| undefined$/, "")
  );
}

/** The type node in the declaration of a property. */
export function typeNode(declaration: ts.Declaration): ts.TypeNode | undefined {
  if (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration))
    return declaration.type;
  return ts.isGetAccessor(declaration) ? declaration.type : undefined;
}
