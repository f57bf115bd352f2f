import { ts } from "ts-morph";
import { isOwnFile, placeOf, report, UnresolvedInLean } from "../reading.ts";
import { isPlatformFile } from "../tenon-symbols.ts";
import type { Site, TypeContext } from "./type-context.ts";

/**
 * Looks up every name in a type as it is written, and in the aliases that it uses. A name that cannot be found would not
 * always show in the type that the checker computes from it (`keyof Missing` has an answer), and the lean program must never
 * answer differently from the full one.
 */
export function checkNames(context: TypeContext, node: ts.Node, site: Site): void {
  if (context.checked.has(node)) return;
  context.checked.add(node);
  const { reading } = context;
  const { checker } = reading;
  const file = node.getSourceFile();
  if (isPlatformFile(reading, file)) return;
  reading.touched.add(file);
  if (ts.isTypeReferenceNode(node) || ts.isTypeQueryNode(node) || ts.isImportTypeNode(node) || ts.isExpressionWithTypeArguments(node)) {
    if (isError(checker.getTypeAtLocation(node))) return missing(context, node, site);
    if (ts.isTypeQueryNode(node)) reading.inferred = true;
    const name = ts.isTypeReferenceNode(node) ? node.typeName : undefined;
    const symbol = name === undefined ? undefined : checker.getSymbolAtLocation(name);
    const target = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
    for (const declaration of target?.declarations ?? []) {
      if (ts.isTypeAliasDeclaration(declaration)) checkNames(context, declaration.type, site);
      else if (!isPlatformFile(reading, declaration.getSourceFile())) reading.touched.add(declaration.getSourceFile());
    }
  }
  // Members are looked at when they are read as fields; their names need a look only where they are part of an operation.
  ts.forEachChild(node, (child) => checkNames(context, child, site));
}

/** The type that stands for a name which was not found. */
export function isError(type: ts.Type): boolean {
  const name = (type as { intrinsicName?: string }).intrinsicName;
  return (type.flags & ts.TypeFlags.Any) !== 0 && (name === "error" || name === "unresolved");
}

function missing(context: TypeContext, node: ts.Node, site: Site): void {
  const { reading } = context;
  if (reading.canRetry) throw new UnresolvedInLean();
  const own = isOwnFile(reading, node.getSourceFile());
  report(reading, {
    code: "TN302",
    place: own ? placeOf(node) : site.place,
    message: `${site.subject} uses type \`${node.getText()}\`, which cannot be found.`,
    fix: "check its import, and that its package is installed",
  });
}
