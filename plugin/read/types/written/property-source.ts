import { ts } from "ts-morph";
import type { Bindings, TypeContext } from "../../base/type-context.ts";
import { takenBranch } from "./conditional-branch.ts";
import { keptPlace, type KeptPlace } from "./kept-type.ts";
import { boundType } from "./type-bindings.ts";

/** Internal data of the compiler about a property that a mapped type has made. */
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

/**
 * Finds the original property, if `{ [K in keyof T as NewName]: T[K] }` has renamed it, or if the template of a mapped
 * type takes it from one of several types. Otherwise returns the property itself.
 */
export function sourceOf(context: TypeContext, property: ts.Symbol, bindings: Bindings): ts.Symbol {
  const { mappedType, keyType } = linksOf(property);
  if ((property.declarations?.length ?? 0) > 0 || keyType?.isStringLiteral() !== true) return property;
  const picked = pickedProperty(context, mappedType?.declaration, keyType.value, bindings);
  if (picked !== undefined) return picked;
  const template = mappedType?.declaration?.type;
  const isSame = template !== undefined && useOf(template, mappedType?.declaration) !== "other";
  return (isSame ? mappedType?.modifiersType?.getProperty(keyType.value) : undefined) ?? property;
}

/** Returns the compiler's data about a property that a mapped type made; empty for other properties. */
export function linksOf(property: ts.Symbol): Links {
  return (property as { readonly links?: Links }).links ?? {};
}

/**
 * Finds the property that a handwritten mapped type selects for one key: `Y["name"]` in `{ [K in keyof X | keyof Y]: K
 * extends keyof Y ? Y[K] : K extends keyof X ? X[K] : never }`.
 */
function pickedProperty(
  context: TypeContext,
  mapped: ts.MappedTypeNode | undefined,
  key: string,
  bindings: Bindings,
): ts.Symbol | undefined {
  const name = mapped?.typeParameter.name.text;
  const find = (node: ts.TypeNode | undefined): ts.Symbol | undefined => {
    if (node === undefined) return undefined;
    if (ts.isParenthesizedTypeNode(node)) return find(node.type);
    if (ts.isIndexedAccessTypeNode(node))
      return node.indexType.getText() === name
        ? boundType(context, { node: node.objectType, bindings }).getProperty(key)
        : undefined;
    if (!ts.isConditionalTypeNode(node) || node.checkType.getText() !== name) return undefined;
    const { extendsType } = node;
    if (!ts.isTypeOperatorNode(extendsType) || extendsType.operator !== ts.SyntaxKind.KeyOfKeyword) return undefined;
    const isKey = boundType(context, { node: extendsType.type, bindings }).getProperty(key) !== undefined;
    return find(isKey ? node.trueType : node.falseType);
  };
  return find(mapped?.type);
}

/**
 * The original declaration of a property, and the last template of a mapped type that contains the property's type as a
 * part.
 */
export interface KeptProperty {
  readonly declaration: ts.Declaration;
  readonly template?: ts.TypeNode;
  readonly key?: ts.Symbol;
  /** Place of the property's type in the template. */
  readonly place?: KeptPlace;
}

/**
 * Finds the original declaration of a property, through mapped types that keep its type; undefined if a mapped type
 * changes the type.
 */
export function keptProperty(context: TypeContext, property: ts.Symbol, bindings: Bindings): KeptProperty | undefined {
  const source = sourceOf(context, property, bindings);
  const declaration = source.valueDeclaration ?? source.declarations?.[0];
  if (declaration === undefined) return undefined;
  let found: KeptProperty = { declaration };
  const { checker } = context.reading;
  for (let step: ts.Symbol | undefined = source; step !== undefined && isMapped(step);) {
    const { mappedType, syntheticOrigin }: Links = linksOf(step);
    const mapped = mappedType?.declaration;
    const key = mapped && checker.getSymbolAtLocation(mapped.typeParameter.name);
    const template = mapped?.type && templateFor(context, mapped.type, key, declaration, bindings);
    const use = template === undefined ? "other" : useOf(template, mapped);
    if (use !== "same") {
      if (use === "other" || template === undefined || ts.isConditionalTypeNode(template) || found.key || !key)
        return undefined;
      const before = checker.getTypeOfSymbol(syntheticOrigin ?? step);
      found = { declaration, template, key, place: keptPlace(context.reading, before, checker.getTypeOfSymbol(step)) };
    }
    step = syntheticOrigin;
  }
  return found;
}

/**
 * Returns the template of a mapped type for one property; for a conditional type, the branch that applies to the
 * property.
 */
function templateFor(
  context: TypeContext,
  template: ts.TypeNode,
  key: ts.Symbol | undefined,
  declaration: ts.Declaration,
  bindings: Bindings,
): ts.TypeNode {
  const node = (declaration as { readonly type?: ts.TypeNode }).type;
  if (!ts.isConditionalTypeNode(template) || key === undefined || node === undefined) return template;
  return takenBranch(context, template, new Map([...bindings, [key, { node, bindings }]])) ?? template;
}

/**
 * Determines how the template of a mapped type uses the property's type: as `T[K]` itself, as a part, or not at all.
 */
export function useOf(template: ts.TypeNode, mapped: ts.MappedTypeNode | undefined): "same" | "wrapped" | "other" {
  const key = mapped?.typeParameter.name.text;
  const isProperty = (node: ts.Node): boolean =>
    ts.isIndexedAccessTypeNode(node) && ts.isTypeReferenceNode(node.indexType) && node.indexType.getText() === key;
  const holds = (node: ts.Node): boolean => isProperty(node) || ts.forEachChild(node, holds) === true;
  const bare = ts.isParenthesizedTypeNode(template) ? template.type : template;
  return isProperty(bare) ? "same" : holds(bare) ? "wrapped" : "other";
}
