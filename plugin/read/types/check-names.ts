import { ts } from "ts-morph";
import { docOf, isOwnFile, placeOf, UnresolvedInLean } from "../base/reading.ts";
import { isPlatformFile } from "../base/tenon-symbols.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { missingPlatformFix } from "./platform-types.ts";
import { reportType } from "./unsupported.ts";
import { meetAlias, meetInline, meetNarrowing } from "./written/written-tags.ts";
import { declaredType, queriedFunction, returnedType } from "./written/written-values.ts";
import { namedBy } from "./written/named-by.ts";
import { keptProperty } from "./written/property-source.ts";
import { noBindings } from "./written/type-bindings.ts";

/**
 * Resolves every name in a written type and in the aliases that it uses; false when a name is missing. This check is
 * needed because a missing name is not always visible in the computed type (`keyof Missing` has a value), and because a
 * `lean` program must give the same result as a `full` one.
 */
export function checkNames(context: TypeContext, node: ts.Node, site: Site): boolean {
  const known = context.checked.get(node);
  // A missing name in a package is reported each time the author uses the type, but a name in the author's own files
  // only once.
  if (known === true || (known === false && isOwnFile(context.reading, node.getSourceFile()))) return known;
  context.checked.set(node, true);
  const found = lookUp(context, node, site);
  context.checked.set(node, found);
  return found;
}

function lookUp(context: TypeContext, node: ts.Node, site: Site): boolean {
  const { reading } = context;
  const { checker } = reading;
  const file = node.getSourceFile();
  if (isPlatformFile(reading, file)) return true;
  reading.touched.add(file);
  let found = true;
  if (
    ts.isTypeReferenceNode(node) ||
    ts.isTypeQueryNode(node) ||
    ts.isImportTypeNode(node) ||
    ts.isExpressionWithTypeArguments(node)
  ) {
    if (isError(checker.getTypeAtLocation(node))) return missing(context, node, site);
    if (ts.isTypeQueryNode(node)) {
      reading.inferred = true;
      for (const written of queried(context, node)) found = checkNames(context, written, site) && found;
    }
    const target = namedBy(context, node);
    found = checkBases(context, target, site) && found;
    for (const declaration of target?.declarations ?? []) {
      if (ts.isTypeAliasDeclaration(declaration)) {
        meetAlias(context, node, declaration);
        found = checkNames(context, declaration.type, site) && found;
      } else if (ts.isEnumDeclaration(declaration) || ts.isEnumMember(declaration)) {
        meetAlias(context, node, declaration);
        reading.touched.add(declaration.getSourceFile());
      } else if (!isPlatformFile(reading, declaration.getSourceFile()))
        reading.touched.add(declaration.getSourceFile());
    }
  }
  if (ts.isTypeNode(node)) meetInline(context, node);
  for (const property of ts.isIndexedAccessTypeNode(node) ? indexedProperties(context, node) : [])
    found = checkNames(context, property, site) && found;
  ts.forEachChild(node, (child) => {
    // Keywords are skipped. Members of an object are skipped too: they are checked as fields, which gives findings a
    // better subject.
    if (child.kind >= ts.SyntaxKind.FirstNode && !ts.isTypeElement(child))
      found = checkNames(context, child, site) && found;
    else if (ts.isTypeNode(child)) meetInline(context, child);
  });
  return found;
}

/** The written types of the value that `typeof` names, or of the function in `ReturnType<typeof f>`. */
function queried(context: TypeContext, node: ts.TypeQueryNode): readonly ts.TypeNode[] {
  const value = declaredType(context, node.exprName, 0);
  if (value !== undefined) return [value.node];
  const declaration = queriedFunction(context, node);
  const utility = node.parent;
  if (declaration === undefined || !ts.isTypeReferenceNode(utility)) return [];
  if (utility.typeName.getText() === "ReturnType") {
    const returned = returnedType(context, declaration, 0);
    return returned === undefined ? [] : [returned.node];
  }
  const index = ts.isIndexedAccessTypeNode(utility.parent) ? Number(utility.parent.indexType.getText()) : undefined;
  const parameters = declaration.parameters.filter((_, at) => index === undefined || at === index);
  return utility.typeName.getText() === "Parameters" ? parameters.flatMap(({ type }) => type ?? []) : [];
}

/**
 * Returns the types of the fields that `User["email"]` names. The tags of several fields would not fit the union of
 * their types.
 */
function indexedProperties(context: TypeContext, node: ts.IndexedAccessTypeNode): readonly ts.TypeNode[] {
  const { checker } = context.reading;
  const index = checker.getTypeFromTypeNode(node.indexType);
  const keys = (index.isUnion() ? index.types : [index]).flatMap((key) => (key.isStringLiteral() ? [key.value] : []));
  const owner = checker.getTypeFromTypeNode(node.objectType);
  const declarations = keys.flatMap((key) => {
    const property = owner.getProperty(key);
    return (property && keptProperty(context, property, noBindings)?.declaration) ?? [];
  });
  const fields = declarations.filter((one) => ts.isPropertySignature(one) || ts.isPropertyDeclaration(one));
  for (const field of fields) meetNarrowing(context, node, docOf(field));
  return fields.flatMap(({ type }) => type ?? []);
}

/** Resolves the bases of an interface or a class: the fields of a missing base would be lost. */
export function checkBases(context: TypeContext, symbol: ts.Symbol | undefined, site: Site): boolean {
  let found = true;
  for (const declaration of symbol?.declarations ?? []) {
    if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassLike(declaration)) continue;
    for (const clause of declaration.heritageClauses ?? []) {
      if (ts.isClassLike(declaration) && clause.token === ts.SyntaxKind.ImplementsKeyword) continue;
      for (const base of clause.types) found = checkNames(context, base, site) && found;
    }
  }
  return found;
}

/** True for the type of an unresolved name. */
export function isError(type: ts.Type): boolean {
  const name = (type as { intrinsicName?: string }).intrinsicName;
  return (type.flags & ts.TypeFlags.Any) !== 0 && (name === "error" || name === "unresolved");
}

function missing(context: TypeContext, node: ts.Node, site: Site): false {
  const { reading } = context;
  if (reading.canRetry) throw new UnresolvedInLean();
  const own = isOwnFile(reading, node.getSourceFile());
  const text = node.getText();
  reportType(context, own ? { ...site, place: placeOf(node) } : { ...site, foreign: true }, {
    code: "TN302",
    message: `uses type \`${text}\`, which cannot be found.`,
    type: text,
    fix: missingPlatformFix(text) ?? "check its import, and that its package is installed",
  });
  return false;
}
