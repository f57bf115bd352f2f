import { ts } from "ts-morph";
import { isOwnFile } from "../../base/reading.ts";
import { constraintTags, fieldTags } from "../../base/tag-names.ts";
import { isPlatformFile, tenonSymbol } from "../../base/tenon-symbols.ts";
import type { Doc } from "../../base/tsdoc.ts";
import type { Brought, TypeContext } from "../../base/type-context.ts";
import { typeDocOf } from "../../comments/param-tags.ts";
import { hasNoDoc, inlineDoc } from "./inline-doc.ts";
import { isClosed } from "./closed.ts";
import { leadsNowhere } from "./leads-nowhere.ts";
import { namedBy } from "./named-by.ts";
import { noBindings, type Written } from "./type-bindings.ts";
import { memberBindings } from "./written.ts";

/** True for kinds of nodes that have no comments of their own; most nodes are of these kinds. */
function isPlain(node: ts.Node): boolean {
  return (
    (node.kind >= ts.SyntaxKind.FirstKeyword && node.kind <= ts.SyntaxKind.LastKeyword) || ts.isLiteralTypeNode(node)
  );
}

/** Finds the comments of the aliases by which a type is written, at any depth except inside members of objects. */
function broughtBy(context: TypeContext, written: Written): readonly Brought[] {
  if (isPlain(written.node) && hasNoDoc(written.node)) return [];
  if (!isClosed(context, written.node)) return isSilent(context, written) ? [] : findBrought(context, written);
  const known = context.brought.get(written.node);
  if (known !== undefined) return known;
  const alone = { node: written.node, bindings: noBindings };
  const found = isSilent(context, alone) ? [] : findBrought(context, alone);
  context.brought.set(written.node, found);
  return found;
}

function findBrought(context: TypeContext, written: Written): readonly Brought[] {
  const found: Brought[] = [];
  const seen = new Set<ts.Node>();
  const mayBring = (node: ts.Node): boolean =>
    (ts.isTypeNode(node) && inlineDoc(context, node) !== undefined) ||
    ((ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) && typeDocOf(node) !== undefined);
  const visit = ({ node, bindings }: Written): void => {
    if (ts.isTypeElement(node) || seen.has(node)) return;
    if (leadsNowhere(context, context.reading.withoutDocs, node, mayBring)) return;
    seen.add(node);
    const inline = ts.isTypeNode(node) ? inlineDoc(context, node) : undefined;
    if (inline !== undefined && speaks(inline, true)) found.push({ use: node, doc: inline });
    const symbol = namedBy(context, node);
    const bound = symbol === undefined ? undefined : bindings.get(symbol);
    if (bound !== undefined) visit(bound);
    for (const declaration of symbol?.declarations ?? []) {
      const isAlias = ts.isTypeAliasDeclaration(declaration);
      if (!(isAlias || ts.isEnumDeclaration(declaration)) || tenonSymbol(context.reading, symbol) !== undefined)
        continue;
      if (isPlatformFile(context.reading, declaration.getSourceFile())) continue;
      const doc = typeDocOf(declaration);
      if (doc !== undefined && speaks(doc, isOwnFile(context.reading, declaration.getSourceFile())))
        found.push({ use: node, doc });
      if (isAlias)
        visit({ node: declaration.type, bindings: memberBindings(context, { node: node as ts.TypeNode, bindings }) });
    }
    ts.forEachChild(node, (child) => visit({ node: child as ts.TypeNode, bindings }));
  };
  visit(written);
  return found;
}

/** True when no comment about values can be reached from a node, nor from the arguments of its type parameters. */
function isSilent(context: TypeContext, { node, bindings }: Written): boolean {
  const { withoutWords } = context.reading;
  return (
    leadsNowhere(context, withoutWords, node, (one) => bringsWords(context, one), false) &&
    [...bindings.values()].every((argument) => broughtBy(context, argument).length === 0)
  );
}

function bringsWords(context: TypeContext, node: ts.Node): boolean {
  const inline = ts.isTypeNode(node) ? inlineDoc(context, node) : undefined;
  if (inline !== undefined && speaks(inline, true)) return true;
  const doc = ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node) ? typeDocOf(node) : undefined;
  return doc !== undefined && speaks(doc, isOwnFile(context.reading, node.getSourceFile()));
}

/** True for a comment with a tag that narrows values; in the author's files, also for a comment with a text. */
function speaks(doc: Doc, own: boolean): boolean {
  if (doc.tags.some((tag) => constraintTags.has(tag.name))) return true;
  return own && (doc.summary !== "" || doc.tags.some((tag) => fieldTags.has(tag.name)));
}

/** Records the tags that narrow a value, if a type that no longer has them was derived from the value. */
export function meetValue(context: TypeContext, value: ts.Expression, node: ts.TypeNode): void {
  for (const { doc } of broughtBy(context, { node, bindings: noBindings })) meetNarrowing(context, value, doc);
}

/** Records the tags in front of a type, wherever it is, even if the type has no effect. */
export function meetInline(context: TypeContext, node: ts.TypeNode): void {
  const room = node.getStart() - node.getFullStart();
  if (room > 0 || !hasNoDoc(node)) meetNarrowing(context, node, inlineDoc(context, node));
}

/** Records the tags of a comment that narrow values. */
export function meetNarrowing(context: TypeContext, at: ts.Node, doc: Doc | undefined): void {
  const tags = doc?.tags.filter(({ name }) => constraintTags.has(name)) ?? [];
  if (doc !== undefined && tags.length > 0) context.ledger.meet(at, { ...doc, tags });
}

/**
 * Returns a text that distinguishes types which the compiler considers the same, by the comments of the aliases by
 * which they are written; empty if there are none.
 */
export function tagsOf(context: TypeContext, written: Written): string {
  return broughtBy(context, written)
    .map(({ use, doc }) => `${use.getSourceFile().fileName}:${doc.start}`)
    .join();
}

/** The arguments written for the type parameters of a named type. */
export function argumentsFor(
  context: TypeContext,
  symbol: ts.Symbol | undefined,
  written: Written | undefined,
): readonly Written[] {
  if (symbol === undefined || written === undefined) return [];
  const parameters = (symbol.declarations ?? []).flatMap(
    (declaration) => (declaration as { readonly typeParameters?: readonly ts.Node[] }).typeParameters ?? [],
  );
  if (parameters.length === 0) return [];
  const bindings = memberBindings(context, written);
  const symbols = parameters.flatMap((parameter) =>
    ts.isTypeParameterDeclaration(parameter) ? (context.reading.checker.getSymbolAtLocation(parameter.name) ?? []) : [],
  );
  return [...new Set(symbols)].flatMap((parameter) => bindings.get(parameter) ?? []);
}

/**
 * Returns a text that distinguishes uses of one generic type by the tags of their type arguments; empty if there are
 * none.
 */
export function argumentTags(context: TypeContext, given: readonly Written[]): string {
  const texts = given.map((argument) => tagsOf(context, argument));
  return texts.every((text) => text === "") ? "" : texts.join(";");
}

/** Records that the comments in type arguments are already in a schema to which the type refers. */
export function settleArguments(context: TypeContext, given: readonly Written[]): void {
  for (const argument of given) {
    for (const { use, doc } of broughtBy(context, argument))
      for (const tag of doc.tags) context.ledger.settle(use, tag, "used");
  }
}

/** Records the tags of an alias or an enum at each use, even if the compiler forgets the alias. */
export function meetAlias(context: TypeContext, use: ts.Node, alias: ts.Declaration): void {
  if (!isOwnFile(context.reading, alias.getSourceFile())) return;
  const doc = typeDocOf(alias);
  if (doc !== undefined) context.ledger.meet(use, { ...doc, tags: doc.tags.filter((tag) => !textTags.has(tag.name)) });
  if (ts.isEnumDeclaration(alias)) for (const member of alias.members) meetAlias(context, member, member);
}

/** Tags that describe a type, and do not narrow its values. */
const textTags: ReadonlySet<string> = new Set(["title", "deprecated", "example"]);
