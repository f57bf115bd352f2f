import { ts } from "ts-morph";
import type { Bindings, TypeContext } from "../../base/type-context.ts";
import { meetInferred } from "../written/inferred-values.ts";
import { keptPlace, type KeptPlace } from "../written/kept-type.ts";
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
  /** Place of the original type in the property's type; default: the whole. */
  readonly place?: KeptPlace;
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
    if (use === "wrapped" && template !== undefined) {
      const before = syntheticOrigin && isMapped(syntheticOrigin) && originOf(context, syntheticOrigin, bindings);
      const place = syntheticOrigin === undefined ? "whole" : placeOf(context, syntheticOrigin, step);
      const narrow = place !== "deeper" && (!before || before.narrow);
      const isConditional = ts.isConditionalTypeNode(template);
      if (isConditional && !(narrow && place === "whole")) return { narrow, place };
      const written = before && before.inside === undefined ? before.node : declaration && typeNode(declaration);
      const inside = wrapped(context, mappedType?.declaration, written);
      if (isConditional || inside === undefined) break;
      return { narrow, place, node: template, inside };
    }
    if (use !== "same") {
      const key = mappedType?.declaration?.typeParameter.name.text;
      const isKept = template === undefined || key === undefined || passesKey(template, key);
      const narrow = isKept && declaration !== undefined && isSameText(context, property, declaration);
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
  node: ts.TypeNode | undefined,
): PropertyOrigin["inside"] {
  const key = mapped && context.reading.checker.getSymbolAtLocation(mapped.typeParameter.name);
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

function placeOf({ reading }: TypeContext, before: ts.Symbol, after: ts.Symbol): KeptPlace {
  const { checker } = reading;
  return keptPlace(reading, checker.getTypeOfSymbol(before), checker.getTypeOfSymbol(after));
}

/** True if a template takes a type by the key, such as `T[K & string]` or `Get<T, K>`; `string` takes none. */
function passesKey(template: ts.Node, key: string): boolean {
  const isKey = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === key) || ts.forEachChild(node, isKey) === true;
  const passes = (node: ts.Node): boolean =>
    (ts.isIndexedAccessTypeNode(node) && isKey(node.indexType)) ||
    (ts.isTypeReferenceNode(node) && node.typeArguments?.some(isKey) === true) ||
    ts.forEachChild(node, passes) === true;
  return passes(template);
}

/** True if a mapped type such as `{ [K in keyof User]: Get<User, K> }` leaves a type unchanged. */
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
