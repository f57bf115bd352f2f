import { ts } from "ts-morph";
import type { TypeContext } from "../base/type-context.ts";
import { meetInferred } from "./inferred-values.ts";
import { splitUndefined } from "./split-undefined.ts";
import { writtenForValue } from "./written-values.ts";

/** The place where the type of a property was written. A flag says whether its declaration's comments are about it. */
export interface PropertyOrigin {
  readonly node?: ts.TypeNode;
  /** The type of the property itself, where the node is that of a mapped type which holds it, such as `T[K] | null`. */
  readonly inside?: { readonly key: ts.Symbol; readonly node: ts.TypeNode };
  /** False where a mapped type gave the field another type: then only texts are taken. */
  readonly narrow: boolean;
}

interface Links {
  readonly checkFlags?: number;
  readonly mappedType?: { readonly declaration?: ts.MappedTypeNode; readonly modifiersType?: ts.Type };
  readonly keyType?: ts.Type;
  readonly syntheticOrigin?: ts.Symbol;
}

const mappedFlag = 262_144;

/** True when a mapped type made the property. */
export function isMapped(property: ts.Symbol): boolean {
  return ((linksOf(property).checkFlags ?? 0) & mappedFlag) !== 0;
}

/** The property that `{ [K in keyof T as NewName]: T[K] }` has given another name; else the property itself. */
export function sourceOf(property: ts.Symbol): ts.Symbol {
  const { mappedType, keyType } = linksOf(property);
  if ((property.declarations?.length ?? 0) > 0 || keyType?.isStringLiteral() !== true) return property;
  const template = mappedType?.declaration?.type;
  const isSame = template !== undefined && useOf(template, mappedType?.declaration) !== "other";
  return (isSame ? mappedType?.modifiersType?.getProperty(keyType.value) : undefined) ?? property;
}

function linksOf(property: ts.Symbol): Links {
  return (property as { readonly links?: Links }).links ?? {};
}

/** Follows mapped types that keep the type of a property, such as `Partial` and `Pick`, to where it was written. */
export function originOf(context: TypeContext, property: ts.Symbol): PropertyOrigin {
  const source = sourceOf(property);
  const declaration = source.valueDeclaration ?? source.declarations?.[0];
  let step: ts.Symbol | undefined = property;
  while (step !== undefined && isMapped(step)) {
    const { mappedType, syntheticOrigin = source === property ? undefined : source }: Links = linksOf(step);
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

/** The type that was written for the value of a field, where the field itself has none. */
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

function wrapped(
  context: TypeContext,
  mapped: ts.MappedTypeNode | undefined,
  declaration: ts.Declaration | undefined,
): PropertyOrigin["inside"] {
  const key = mapped && context.reading.checker.getSymbolAtLocation(mapped.typeParameter.name);
  const node = declaration && typeNode(declaration);
  return key === undefined || node === undefined ? undefined : { key, node };
}

/** An object that a mapped type made of another one has no name of the other. */
function isObjectType(context: TypeContext, property: ts.Symbol): boolean {
  const { checker } = context.reading;
  const { type } = splitUndefined(checker.getTypeOfSymbol(property));
  return type !== undefined && (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(type);
}

/** The use of the property's type by the template of a mapped type: `T[K]` itself, as a part, or not at all. */
export function useOf(template: ts.TypeNode, mapped: ts.MappedTypeNode | undefined): "same" | "wrapped" | "other" {
  const key = mapped?.typeParameter.name.text;
  const isProperty = (node: ts.Node): boolean =>
    ts.isIndexedAccessTypeNode(node) && ts.isTypeReferenceNode(node.indexType) && node.indexType.getText() === key;
  const holds = (node: ts.Node): boolean => isProperty(node) || ts.forEachChild(node, holds) === true;
  const bare = ts.isParenthesizedTypeNode(template) ? template.type : template;
  return isProperty(bare) ? "same" : holds(bare) ? "wrapped" : "other";
}

/** `{ [K in keyof User]: string }` leaves a text what it was. */
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

/** The type that a declaration of a property says. */
export function typeNode(declaration: ts.Declaration): ts.TypeNode | undefined {
  if (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration))
    return declaration.type;
  return ts.isGetAccessor(declaration) ? declaration.type : undefined;
}
