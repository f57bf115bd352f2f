import { ts } from "ts-morph";
import { docOf } from "../base/reading.ts";
import type { Doc } from "../base/tsdoc.ts";
import { docOfParam, paramTags } from "../comments/param-tags.ts";
import type { TypeContext } from "../base/type-context.ts";

/** The comment of one declaration of a property. */
export interface PropertyDoc {
  readonly doc: Doc;
  readonly declaration: ts.Declaration;
}

/**
 * The comments of a property: of all its declarations, as parts of an intersection have one each. A property without any that
 * is declared again has those of the base, as editors show them.
 */
export function propertyDocs(context: TypeContext, property: ts.Symbol): readonly PropertyDoc[] {
  const declarations = property.declarations ?? [];
  const own = declarations.flatMap((declaration) => docsOf(declaration));
  if (own.length > 0) return own;
  return declarations.flatMap((declaration) => inheritedDocs(context, declaration, property.name, 0)).slice(0, 1);
}

function docsOf(declaration: ts.Declaration): readonly PropertyDoc[] {
  const doc = docOf(declaration);
  return [...(doc === undefined ? [] : [doc]), ...ownersDocs(declaration)].map((one) => ({ doc: one, declaration }));
}

const propertyTags: ReadonlySet<string> = new Set(["property", "prop"]);

/** Lines that speak of a property elsewhere: `@param` of the constructor that makes it, `@property` of its type. */
function ownersDocs(declaration: ts.Declaration): readonly Doc[] {
  const { parent } = declaration;
  const name = ts.getNameOfDeclaration(declaration)?.getText();
  const isType = ts.isInterfaceDeclaration(parent) || ts.isClassLike(parent) || ts.isTypeLiteralNode(parent);
  if (!isType && !ts.isConstructorDeclaration(parent)) return [];
  const owner = ts.isTypeLiteralNode(parent) && ts.isTypeAliasDeclaration(parent.parent) ? parent.parent : parent;
  const source = declaration.getSourceFile().text;
  return paramTags(docOf(owner), source, isType ? propertyTags : undefined)
    .filter((line) => line.name === name && line.path.length === 0)
    .map(docOfParam);
}

const deepest = 20;

function inheritedDocs(
  context: TypeContext,
  { parent }: ts.Declaration,
  key: string,
  depth: number,
): readonly PropertyDoc[] {
  if (depth > deepest || !(ts.isInterfaceDeclaration(parent) || ts.isClassLike(parent))) return [];
  for (const base of (parent.heritageClauses ?? []).flatMap((clause) => clause.types)) {
    const property = context.reading.checker.getTypeAtLocation(base).getProperty(key);
    for (const declaration of property?.declarations ?? []) {
      const found = docsOf(declaration);
      const docs = found.length > 0 ? found : inheritedDocs(context, declaration, key, depth + 1);
      if (docs.length > 0) return docs;
    }
  }
  return [];
}
