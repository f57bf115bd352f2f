import { ts } from "ts-morph";
import { libFolder } from "./lib-texts.ts";
import type { Reading } from "./reading.ts";

/** Name under which tenon declares a symbol; `undefined` for everything that is not tenon's. */
export function tenonSymbol(reading: Reading, symbol: ts.Symbol | undefined): string | undefined {
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined) return undefined;
  return reading.packageOf(declaration.getSourceFile()) === "tenon" ? symbol.name : undefined;
}

/** What the reader looks for in expressions. Asking the checker about every other call would check the authors' code. */
const soughtMembers: ReadonlySet<string> = new Set([
  "Service",
  "getLogger",
  "loggingInit",
  "platformLambda",
  "runMcpStdio",
  "startBatchService",
  "startLambdaServer",
  "withSchema",
]);

/** Whether the reader looks for an export of tenon with this name in expressions. */
export function isSoughtMember(name: string): boolean {
  return soughtMembers.has(name);
}

/** Whether a text may ask a namespace for such an export. */
export function mentionsSoughtMember(text: string, namespace: string): boolean {
  return [...soughtMembers].some((name) => text.includes(`${namespace}.${name}`));
}

/** Name of the tenon export that an expression or a type name means, also under another local name. */
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
  // A project's own barrel may hand tenon's exports on.
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

/** Whether a file describes the platform (the language's library, DOM, Node's types) and not data. */
export function isPlatformFile(reading: Reading, file: ts.SourceFile): boolean {
  return (
    file.fileName.startsWith(`${libFolder}/`) ||
    reading.program.isSourceFileDefaultLibrary(file) ||
    /\/node_modules\/(@types\/(node|web|bun|deno)|undici-types|bun-types|@typescript\/lib-[a-z]+)\//.test(file.fileName)
  );
}
