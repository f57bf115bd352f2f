import { ts } from "ts-morph";
import type { Reading } from "../base/reading.ts";
import { isPlatformFile } from "../base/tenon-symbols.ts";
import { isError } from "./check-names.ts";
import { mappedValue } from "./mapped-value.ts";
import { platformType } from "./platform-types.ts";

/** Part of a type that is more than data, so that a stored copy would not be equivalent. */
export interface NotData {
  /** Path from the value, for example `client.handle`; empty for the value itself. */
  readonly path: string;
  readonly what: string;
  readonly fix: string;
}

const outside = "make it outside of the step, and return what identifies it, such as an id";

/** Finds the first part of a type that is not data: a function, a method, a symbol, a stream, `any`, `unknown`. */
export function findNotData(reading: Reading, root: ts.Type): NotData | undefined {
  const { checker } = reading;
  const seen = new Set<ts.Type>();
  const visit = (type: ts.Type, path: string): NotData | undefined => {
    const { flags } = type;
    // An unresolved name is skipped, since it has a diagnostic of its own.
    if (seen.has(type) || isError(type)) return undefined;
    seen.add(type);
    if (flags & ts.TypeFlags.Any) return { path, what: "`any`", fix: "write the type of the value" };
    if (flags & ts.TypeFlags.Unknown) return { path, what: "`unknown`", fix: "write the type of the value" };
    if (flags & ts.TypeFlags.ESSymbolLike) return { path, what: "a symbol", fix: "use a text" };
    if (type.isUnionOrIntersection()) return first(type.types, (part) => visit(part, path));
    if ((flags & ts.TypeFlags.Object) === 0) return undefined;
    if (checker.isArrayType(type) || checker.isTupleType(type))
      return first(checker.getTypeArguments(type as ts.TypeReference), (item) => visit(item, `${path}[]`));
    const value = mappedValue(reading, type);
    if (value !== undefined) return visit(value, path);
    const symbol = type.getSymbol();
    const platform = platformType(reading, symbol);
    if (platform !== undefined) {
      if (platform.kind === "unsupported")
        return { path, what: `a \`${symbol?.name ?? "object"}\` of the platform`, fix: platform.fix };
      // The type argument of bytes is the kind of memory behind them.
      if (platform.kind !== "set" && platform.kind !== "map") return undefined;
      return first(checker.getTypeArguments(type as ts.TypeReference), (item) => visit(item, `${path}[]`));
    }
    if (type.getCallSignatures().length > 0) return { path, what: "a function", fix: outside };
    const file = symbol?.declarations?.[0]?.getSourceFile();
    if (file !== undefined && symbol?.name !== "__type" && isPlatformFile(reading, file) && hasMethods(checker, type))
      return { path, what: `a \`${symbol?.name ?? "object"}\` of the platform`, fix: outside };
    const hasPrivate = symbol?.declarations?.some(
      (one) =>
        ts.isClassLike(one) && one.members.some(({ name }) => name !== undefined && ts.isPrivateIdentifier(name)),
    );
    if (hasPrivate === true)
      return { path, what: "an object with private fields, which a copy does not have", fix: outside };
    for (const property of checker.getPropertiesOfType(type)) {
      const { name } = property;
      // A property that is named by a symbol is skipped: it brands a type, and no value has it.
      if (name.startsWith("__@")) continue;
      const own = checker.getTypeOfSymbol(property);
      const at = path === "" ? name : `${path}.${name}`;
      if (own.getCallSignatures().length > 0) {
        const isMethod = property.declarations?.some(ts.isMethodDeclaration) === true;
        return { path: at, what: isMethod ? "a method, which a copy does not have" : "a function", fix: outside };
      }
      if (property.declarations?.some(ts.isGetAccessorDeclaration) === true)
        return { path: at, what: "a getter, which a copy does not have", fix: outside };
      const inner = visit(own, at);
      if (inner !== undefined) return inner;
    }
    return first(checker.getIndexInfosOfType(type), (others) => visit(others.type, `${path}[]`));
  };
  return visit(root, "");
}

function hasMethods(checker: ts.TypeChecker, type: ts.Type): boolean {
  return checker
    .getPropertiesOfType(type)
    .some((property) => checker.getTypeOfSymbol(property).getCallSignatures().length > 0);
}

function first<T>(parts: readonly T[], find: (part: T) => NotData | undefined): NotData | undefined {
  for (const part of parts) {
    const found = find(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
