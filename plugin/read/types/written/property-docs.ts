import { ts } from "ts-morph";
import { docOf, isOwnFile, report } from "../../base/reading.ts";
import { constraintTags } from "../../base/tag-names.ts";
import type { Doc } from "../../base/tsdoc.ts";
import { sourceOf } from "./property-source.ts";
import { docOfParam, paramTags, propertyLines } from "../../comments/param-tags.ts";
import type { Bindings, TypeContext } from "../../base/type-context.ts";

/** The comment of one declaration of a property. */
export interface PropertyDoc {
  readonly doc: Doc;
  readonly declaration: ts.Declaration;
}

/**
 * Finds the comments of a property, from all its declarations: each part of an intersection may have one. A redeclared
 * property without comments inherits those of the base, as in editors. A redeclared property with a comment still
 * inherits the base's tags that narrow values, since a value of the derived type is also a value of the base.
 */
export function propertyDocs(context: TypeContext, property: ts.Symbol, bindings: Bindings): readonly PropertyDoc[] {
  const declarations = sourceOf(context, property, bindings).declarations ?? [];
  const own = declarations.flatMap((declaration) => docsOf(declaration));
  const inherited = [
    ...own.flatMap(({ doc, declaration }) => namedDocs(context, doc, declaration)),
    ...declarations.flatMap((one) => inheritedDocs(context, one, property.name, 0)),
  ];
  if (inherited.length === 0) for (const one of own) reportOrphan(context, one);
  const whole = own.length === 0 || own.some(({ doc }) => inherits(doc)) ? inherited.slice(0, 1) : [];
  const docs = [...own, ...whole];
  for (const { doc, declaration } of inherited.slice(whole.length)) {
    const known = new Set(docs.flatMap((one) => one.doc.tags.map(({ name }) => name)));
    const tags = doc.tags.filter(({ name }) => constraintTags.has(name) && !known.has(name));
    if (tags.length > 0) docs.push({ doc: { ...doc, summary: "", tags }, declaration });
  }
  return docs;
}

/** True for a comment with `@inheritDoc`, to which the base's comment is added. */
function inherits(doc: Doc): boolean {
  return inheritedName(doc) !== undefined;
}

/** The name after `@inheritDoc`: empty if the base is meant, undefined without the tag. */
function inheritedName({ summary, tags }: Doc): string | undefined {
  const inline = /\{@inheritDoc\b\s*([^{}]*?)\s*\}/i.exec(summary)?.[1];
  return inline ?? tags.find(({ name }) => name.toLowerCase() === "inheritdoc")?.text.split(/\s/)[0];
}

/** The comments of the field that `@inheritDoc Base.name` names, anywhere in the module's scope. */
function namedDocs(context: TypeContext, doc: Doc, at: ts.Declaration): readonly PropertyDoc[] {
  const [, type = "", key = ""] = /^([\w$]+)[.#]([\w$]+)$/.exec(inheritedName(doc) ?? "") ?? [];
  if (type === "") return [];
  const checker = context.reading.checker as ts.TypeChecker & Resolver;
  const found = checker.resolveName(type, at, ts.SymbolFlags.Type | ts.SymbolFlags.Alias, false);
  const isAlias = found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(found) : found;
  const property = symbol && checker.getDeclaredTypeOfSymbol(symbol).getProperty(key);
  return (property?.declarations ?? []).flatMap((one) => docsOf(one));
}

/** A function of the compiler that its type declarations do not contain. */
interface Resolver {
  resolveName(name: string, at: ts.Node, meaning: ts.SymbolFlags, withoutGlobals: boolean): ts.Symbol | undefined;
}

/** Reports an `@inheritDoc` that adds nothing. */
function reportOrphan({ reading }: TypeContext, { doc, declaration }: PropertyDoc): void {
  const name = inheritedName(doc);
  const file = declaration.getSourceFile();
  if (name === undefined || !isOwnFile(reading, file)) return;
  report(reading, {
    code: "TN110",
    place: { file, start: doc.start, end: doc.end },
    message: `\`@inheritDoc${name === "" ? "" : ` ${name}`}\` brings no comment.`,
    fix: "name a field with a comment, such as `{@inheritDoc Base.name}`, or write the text here",
  });
}

function docsOf(declaration: ts.Declaration): readonly PropertyDoc[] {
  const name = ts.getNameOfDeclaration(declaration);
  const isModified = ts.canHaveModifiers(declaration) && declaration.modifiers !== undefined;
  // The name is tried too, since the comment may be after a modifier.
  const doc = docOf(declaration) ?? (isModified && name !== undefined ? docOf(name) : undefined);
  return [...(doc === undefined ? [] : [doc]), ...ownersDocs(declaration)].map((one) => ({ doc: one, declaration }));
}

/**
 * Finds descriptions of a property that are elsewhere: the `@param` of the constructor that declares it, or the
 * `@property` of its type.
 */
function ownersDocs(declaration: ts.Declaration): readonly Doc[] {
  const { parent } = declaration;
  const name = ts.getNameOfDeclaration(declaration)?.getText();
  const isType = ts.isInterfaceDeclaration(parent) || ts.isClassLike(parent) || ts.isTypeLiteralNode(parent);
  if (!isType && !ts.isConstructorDeclaration(parent)) return [];
  const owner = ts.isTypeLiteralNode(parent) && ts.isTypeAliasDeclaration(parent.parent) ? parent.parent : parent;
  const lines = isType ? propertyLines(owner) : paramTags(docOf(owner), declaration.getSourceFile().text);
  return lines.filter((line) => line.name === name && line.path.length === 0).map(docOfParam);
}

const deepest = 20;

/** The comments of the property in all bases, nearest first. */
function inheritedDocs(
  context: TypeContext,
  { parent }: ts.Declaration,
  key: string,
  depth: number,
): readonly PropertyDoc[] {
  if (depth > deepest || !(ts.isInterfaceDeclaration(parent) || ts.isClassLike(parent))) return [];
  const found: PropertyDoc[] = [];
  for (const base of (parent.heritageClauses ?? []).flatMap((clause) => clause.types)) {
    const property = context.reading.checker.getTypeAtLocation(base).getProperty(key);
    for (const declaration of property?.declarations ?? []) {
      found.push(...docsOf(declaration), ...inheritedDocs(context, declaration, key, depth + 1));
    }
  }
  return found;
}
