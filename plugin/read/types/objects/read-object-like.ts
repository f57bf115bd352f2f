import { ts } from "ts-morph";
import type { TypeModel } from "../../../model/type.ts";
import { listTags } from "../../base/tag-names.ts";
import { isPlatformFile, tenonSymbol } from "../../base/tenon-symbols.ts";
import { dataMembers, reportLost } from "../lost-members.ts";
import { mappedValue } from "../mapped-value.ts";
import { platformType } from "../platform-types.ts";
import { runtimeFix, valueBase } from "../runtime-types.ts";
import { readObject } from "./read-object.ts";
import { part, type Site, type TypeContext } from "../../base/type-context.ts";
import { guarded } from "../recursive-types.ts";
import { readTuple } from "./read-tuple.ts";
import { reportType, typeText, unsupported } from "../unsupported.ts";
import { writtenAt, type Written } from "../written/type-bindings.ts";
import { openType } from "../written/written.ts";

/** Types of tenon that are not data, with the fix for each. */
const ownPlaces: ReadonlyMap<string, string> = new Map([
  ["BinaryResult", "return it as the whole result"],
  ["Content", "return it as the whole result, or in a list of contents and strings"],
  ["Message", "return it from a function with `@prompt`"],
  ["JobContext", "take it as a parameter of its own"],
  ["EventReporter", "take it as a parameter of its own"],
]);

/** Reads arrays, tuples, converted types of the platform, and plain objects. */
export function readObjectLike(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
): TypeModel {
  const { checker } = context.reading;
  const symbol = type.getSymbol();
  if (checker.isTupleType(type))
    return guarded(context, type, node, site, () => readTuple(context, type as ts.TupleTypeReference, node, site));
  if (checker.isArrayType(type)) {
    return guarded(context, type, node, site, () => ({ kind: "array", items: readPart(context, type, 0, node, site) }));
  }
  const platform = platformType(context.reading, symbol);
  switch (platform?.kind) {
    case "date":
    case "url":
      return { kind: platform.kind };
    case "bytes":
      return { kind: "bytes" };
    case "buffer":
      return { kind: "bytes", buffer: true };
    case "set":
      return guarded(context, type, node, site, () => ({ kind: "set", items: readPart(context, type, 0, node, site) }));
    case "map":
      return guarded(context, type, node, site, () => readMap(context, type, node, site));
    default:
  }
  const tenon = tenonSymbol(context.reading, symbol);
  if (tenon !== undefined && ownPlaces.has(tenon)) {
    const fix = ownPlaces.get(tenon) ?? "";
    reportType(context, site, {
      code: "TN314",
      message: `contains \`${tenon}\`, which cannot be a part of data.`,
      type: tenon,
      fix,
    });
    return { kind: "unknown" };
  }
  const primitive = mappedPrimitive(context, type);
  if (primitive !== undefined) return primitive;
  const value = mappedValue(context.reading, type);
  if (value !== undefined)
    return value.isIntersection() ? context.read(value, undefined, site) : readObjectLike(context, value, node, site);
  const fix = runtimeFix(context, type);
  if (fix !== undefined) return unsupported(context, type, site, fix);
  const base = valueBase(context, type);
  if (base !== undefined) {
    const inherited = new Set(dataMembers(checker, base, "object"));
    const own = dataMembers(checker, type, "object").filter((member) => !inherited.has(member));
    reportLost(context, type, own, site);
    return guarded(context, type, node, site, () => context.read(base, heritageNode(context, type, base), site));
  }
  return readObject(context, type, node, site);
}

/** The type argument of an array or a set. */
function readPart(
  context: TypeContext,
  type: ts.Type,
  index: number,
  node: ts.TypeNode | undefined,
  site: Site,
): TypeModel {
  const argument = context.reading.checker.getTypeArguments(type as ts.TypeReference)[index];
  if (argument === undefined) return { kind: "unknown" };
  const opened = openNode(context, node, site);
  // Tags that narrow a list are removed here, since they apply to the outermost list and never override tags of an
  // item.
  const overrides = new Set([...(site.overrides ?? [])].filter((name) => !listTags.has(name)));
  const inner: Site = { ...itemOf(part(site, node)), bindings: opened?.bindings, overrides };
  return context.read(argument, partNode(opened?.node, index), inner);
}

/** Finds the node of a list or a map behind aliases and type parameters. */
function openNode(context: TypeContext, node: ts.TypeNode | undefined, site: Site): Written | undefined {
  const written = writtenAt(node, site);
  return written === undefined ? undefined : openType(context, written);
}

/** Returns the node of an item: `T` in `T[]`, `Array<T>` or `Set<T>`. */
function partNode(node: ts.TypeNode | undefined, index: number): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (ts.isArrayTypeNode(node)) return node.elementType;
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : undefined;
  const isList = name !== undefined && /^(Readonly)?(Array|Set|Map)$/.test(name.getText());
  return isList ? (node as ts.NodeWithTypeArguments).typeArguments?.[index] : undefined;
}

function readMap(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel {
  const [key] = context.reading.checker.getTypeArguments(type as ts.TypeReference);
  const opened = openNode(context, node, site);
  const inner: Site = { ...part(site, node), bindings: opened?.bindings, overrides: new Set() };
  const model = key === undefined ? undefined : context.read(key, partNode(opened?.node, 0), inner);
  if (model?.kind !== "string") {
    reportType(context, site, {
      code: "TN306",
      message: "has a map whose keys are not plain strings.",
      type: typeText(context, type),
      fix: "use `Map<string, T>`, or an array of `{ key, value }`",
    });
    return { kind: "unknown" };
  }
  return { kind: "map", values: readPart(context, type, 1, node, { ...site, overrides: new Set() }) };
}

/** The node of a base in the `extends` clause. */
function heritageNode(context: TypeContext, type: ts.Type, base: ts.Type): ts.TypeNode | undefined {
  const declarations = type.getSymbol()?.declarations ?? [];
  const clauses = declarations.flatMap((one) =>
    ts.isInterfaceDeclaration(one) || ts.isClassLike(one) ? (one.heritageClauses ?? []) : [],
  );
  return clauses
    .flatMap((clause) => clause.types)
    .find((node) => context.reading.checker.getTypeAtLocation(node) === base);
}

/**
 * Reads the result of a mapped type such as `DeepPartial<T>` for a branded text or number, which TypeScript shows as an
 * object with the methods of a text or number.
 */
function mappedPrimitive(context: TypeContext, type: ts.Type): TypeModel | undefined {
  if (((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) === 0) return undefined;
  const isOf = (method: string, owner: string): boolean =>
    type.getProperty(method)?.declarations?.some(({ parent }) => {
      const isInterface = ts.isInterfaceDeclaration(parent) && parent.name.text === owner;
      return isInterface && isPlatformFile(context.reading, parent.getSourceFile());
    }) === true;
  if (isOf("charAt", "String")) return { kind: "string" };
  return isOf("toFixed", "Number") ? { kind: "number" } : undefined;
}

function itemOf(site: Site): Site {
  return site.path === undefined ? site : { ...site, path: `${site.path}[]` };
}
