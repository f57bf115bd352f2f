import { ts } from "ts-morph";
import { libFolder } from "./lib-texts.ts";
import type { Reading } from "./reading.ts";

/** Name of a symbol that tenon declares; `undefined` for all others. */
export function tenonSymbol(reading: Reading, symbol: ts.Symbol | undefined): string | undefined {
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined) return undefined;
  return reading.packageOf(declaration.getSourceFile()) === "tenon" ? symbol.name : undefined;
}

/**
 * Exports of tenon that the reader searches for in expressions. Other names are not resolved, since that would
 * type-check the author's code.
 */
const soughtMembers: ReadonlySet<string> = new Set([
  "Service",
  "ServiceContact",
  "ServiceLicense",
  "getLogger",
  "loggingInit",
  "platformLambda",
  "runMcpStdio",
  "startBatchService",
  "startLambdaServer",
  "withSchema",
]);

/** True for an export of tenon that the reader searches for in expressions. */
export function isSoughtMember(name: string): boolean {
  return soughtMembers.has(name);
}

/** True for a text that may use an export of tenon through a namespace. */
export function mentionsSoughtMember(text: string, namespace: string): boolean {
  return [...soughtMembers].some((name) => text.includes(`${namespace}.${name}`));
}

/** Name of the tenon export behind an expression or a type name, even under another local name. */
export function tenonName(reading: Reading, name: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(name)) {
    return soughtMembers.has(name.name.text) ? namespaceMember(reading, name.expression, name.name) : undefined;
  }
  if (ts.isQualifiedName(name)) return namespaceMember(reading, name.left, name.right);
  if (!ts.isIdentifier(name)) return undefined;
  const symbol = reading.checker.getSymbolAtLocation(name);
  const specifier = symbol?.declarations?.find(ts.isImportSpecifier);
  if (specifier !== undefined && moduleOf(specifier.parent.parent.parent) === "tenon") {
    return (specifier.propertyName ?? specifier.name).text;
  }
  if (symbol === undefined) return undefined;
  // Follows an alias, since a module of the project may re-export the name.
  const target = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : reading.checker.getAliasedSymbol(symbol);
  return tenonSymbol(reading, target);
}

function namespaceMember(reading: Reading, left: ts.Node, right: ts.Node): string | undefined {
  const namespace = reading.checker.getSymbolAtLocation(left)?.declarations?.find(ts.isNamespaceImport);
  if (namespace !== undefined && moduleOf(namespace.parent.parent) === "tenon") return right.getText();
  const symbol = reading.checker.getSymbolAtLocation(right);
  return tenonSymbol(reading, symbol);
}

function moduleOf(declaration: ts.Node): string | undefined {
  return ts.isImportDeclaration(declaration) && ts.isStringLiteral(declaration.moduleSpecifier)
    ? declaration.moduleSpecifier.text
    : undefined;
}

/** True for a file whose types describe the platform (the language's library, DOM, Node's types) and not data. */
export function isPlatformFile(reading: Reading, file: ts.SourceFile): boolean {
  return (
    file.fileName.startsWith(`${libFolder}/`) ||
    reading.program.isSourceFileDefaultLibrary(file) ||
    /\/node_modules\/(@types\/(node|web|bun|deno)|undici-types|bun-types|@typescript\/lib-[a-z]+)\//.test(file.fileName)
  );
}
