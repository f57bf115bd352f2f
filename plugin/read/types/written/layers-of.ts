import { ts } from "ts-morph";
import { docOf } from "../../base/reading.ts";
import { isPlatformFile, tenonSymbol } from "../../base/tenon-symbols.ts";
import type { Site, TypeContext } from "../../base/type-context.ts";
import { typeDocOf } from "../../comments/param-tags.ts";
import { hasNoDoc } from "./inline-doc.ts";
import { noBindings } from "./type-bindings.ts";
import { openType, type Layer } from "./written.ts";

/**
 * The comments about a type where it is used: those of the aliases and enums by which it is written, and those in front
 * of it.
 */
export function layersOf(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
): readonly Layer[] {
  if (node !== undefined) {
    const isPlain = node.kind >= ts.SyntaxKind.FirstKeyword && node.kind <= ts.SyntaxKind.LastKeyword;
    return isPlain && hasNoDoc(node)
      ? []
      : withMember(openType(context, { node, bindings: site.bindings ?? noBindings }).layers, type);
  }
  const member = memberLayers(type);
  if (member.length > 0) return member;
  // Without a node, the alias comes from the compiler, which remembers the aliases of all types but primitives.
  const symbol = type.aliasSymbol;
  const declaration = symbol?.declarations?.find(ts.isTypeAliasDeclaration);
  const doc = declaration === undefined ? undefined : typeDocOf(declaration);
  if (symbol === undefined || declaration === undefined || doc === undefined) return [];
  if (isPlatformFile(context.reading, declaration.getSourceFile())) return [];
  if (tenonSymbol(context.reading, symbol) !== undefined) return [];
  return [{ doc, declaration, use: declaration, symbol, subject: `Type \`${symbol.name}\`` }];
}

/** The comment of an enum's member. */
function memberLayers(type: ts.Type): readonly Layer[] {
  const symbol = (type.flags & ts.TypeFlags.EnumLiteral) === 0 || type.isUnion() ? undefined : type.getSymbol();
  const declaration = symbol?.valueDeclaration;
  // An enum with one member has the type of that member, so the declaration may be that of the member.
  const member = declaration !== undefined && ts.isEnumDeclaration(declaration) ? declaration.members[0] : declaration;
  const doc = member !== undefined && ts.isEnumMember(member) ? docOf(member) : undefined;
  if (member === undefined || doc === undefined) return [];
  return [{ doc, declaration: member, use: member, subject: `Member \`${(member as ts.EnumMember).name.getText()}\`` }];
}

function withMember(layers: readonly Layer[], type: ts.Type): readonly Layer[] {
  return [
    ...layers,
    ...memberLayers(type).filter((one) => layers.every((layer) => layer.declaration !== one.declaration)),
  ];
}
