import { ts } from "ts-morph";
import { docOf } from "../base/reading.ts";
import type { TypeContext } from "../base/type-context.ts";
import { isPlatformFile, tenonSymbol } from "../base/tenon-symbols.ts";

/** The name of a type in the author's code. */
export interface TypeName {
  readonly text: string;
  /** Declaration of the name; its comment and its URN apply to the type. */
  readonly symbol: ts.Symbol;
}

/**
 * Finds the alias, interface or class by which a type was written; `undefined` for anonymous types and utility types.
 */
export function nameOf(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined): TypeName | undefined {
  const own = markedAlias(context, node);
  if (own !== undefined && type.aliasSymbol === undefined) return { text: own.name, symbol: own };
  const alias = type.aliasSymbol;
  if (alias !== undefined && !declaredByPlatform(context, alias)) {
    const inner = type.aliasTypeArguments?.[1];
    // `WithSchema<"URN", User>` is named `User`.
    if (tenonSymbol(context.reading, alias) === "WithSchema" && inner !== undefined)
      return nameOf(context, inner, undefined);
    return { text: alias.name + argumentNames(context, type.aliasTypeArguments, 0), symbol: alias };
  }
  const symbol = type.getSymbol();
  if (symbol === undefined || (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) === 0)
    return undefined;
  const name = declaredName(symbol);
  return name === undefined
    ? undefined
    : { text: name + argumentNames(context, ownArguments(context, type), 0), symbol };
}

/** Claims a name for a definition: letters, digits and underscores, and unique. */
export function claimDefinition(context: TypeContext, wanted: string, owner: unknown): string {
  const base =
    wanted
      .replace(/[^\p{ID_Continue}]+/gu, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 80) || "Type";
  let name = base;
  for (let n = 2; context.names.has(name); n += 1) name = `${base}${n}`;
  context.names.set(name, owner);
  // Reserves the position of the definition, so that definitions are in the order of their first use.
  context.definitions.set(name, { kind: "unknown" });
  return name;
}

/** Turns `user-list` or `userList` into `UserList`. */
export function pascal(text: string): string {
  return text
    .split(/[^\p{ID_Continue}]+/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/**
 * Finds the alias in `type Request = Base` with a marker of its own. The checker drops such an alias, but its node
 * remains.
 */
function markedAlias(context: TypeContext, node: ts.TypeNode | undefined): ts.Symbol | undefined {
  if (node === undefined || !ts.isTypeReferenceNode(node) || node.typeArguments !== undefined) return undefined;
  const symbol = resolved(context, node.typeName);
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined || !ts.isTypeAliasDeclaration(declaration)) return undefined;
  return docOf(declaration)?.tags.some((tag) => tag.name === "schema") === true ? symbol : undefined;
}

function resolved(context: TypeContext, name: ts.Node): ts.Symbol | undefined {
  const { checker } = context.reading;
  const symbol = checker.getSymbolAtLocation(name);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}

function declaredByPlatform(context: TypeContext, symbol: ts.Symbol): boolean {
  return (
    symbol.declarations?.some((declaration) => isPlatformFile(context.reading, declaration.getSourceFile())) === true
  );
}

function declaredName(symbol: ts.Symbol): string | undefined {
  if (symbol.name !== "default")
    return symbol.name.startsWith("__") && symbol.name === "__class" ? undefined : symbol.name;
  const declaration = symbol.declarations?.find(
    (d): d is ts.ClassDeclaration | ts.InterfaceDeclaration => ts.isClassDeclaration(d) || ts.isInterfaceDeclaration(d),
  );
  if (declaration?.name !== undefined) return declaration.name.text;
  const file = symbol.declarations?.[0]?.getSourceFile().fileName;
  return file === undefined ? undefined : pascal(file.replace(/^.*\//, "").replace(/\.[^.]*$/, ""));
}

/** Type arguments as written, without the implicit `this`. */
function ownArguments(context: TypeContext, type: ts.Type): readonly ts.Type[] {
  if (((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) === 0) return [];
  const reference = type as ts.TypeReference;
  const count = reference.target.typeParameters?.length ?? 0;
  return context.reading.checker.getTypeArguments(reference).slice(0, count);
}

function argumentNames(context: TypeContext, types: readonly ts.Type[] | undefined, depth: number): string {
  return (types ?? []).map((type) => argumentName(context, type, depth)).join("");
}

function argumentName(context: TypeContext, type: ts.Type, depth: number): string {
  const { checker } = context.reading;
  if (type.aliasSymbol !== undefined) {
    return (
      pascal(type.aliasSymbol.name) + (depth > 1 ? "" : argumentNames(context, type.aliasTypeArguments, depth + 1))
    );
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) return pascal(String(type.value)).slice(0, 24);
  if (type.isUnion() && (type.flags & ts.TypeFlags.Boolean) === 0) {
    return type.types.length > 3 || depth > 1
      ? "Union"
      : type.types
          .map((member) => argumentName(context, member, depth + 1))
          .toSorted()
          .join("Or");
  }
  if (checker.isArrayType(type)) return `${argumentNames(context, ownArguments(context, type), depth + 1)}Array`;
  const symbol = type.getSymbol();
  const name = symbol === undefined || symbol.name.startsWith("__") ? undefined : declaredName(symbol);
  if (name !== undefined)
    return pascal(name) + (depth > 1 ? "" : argumentNames(context, ownArguments(context, type), depth + 1));
  if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0) return "Object";
  return pascal(checker.typeToString(type)).slice(0, 24);
}
