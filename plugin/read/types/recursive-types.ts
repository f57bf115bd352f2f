import { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { isClosed } from "./written/closed.ts";
import { writtenAt } from "./written/type-bindings.ts";
import { openType } from "./written/written.ts";
import { claimDefinition, pascal } from "./type-names.ts";
import { argumentsFor, argumentTags, settleArguments } from "./written/written-tags.ts";

/**
 * Reads a union once per written node, and reuses the result when the same node occurs in another instance of the
 * enclosing type. Nodes with type parameters are excluded, since their meaning differs in each instance. Places whose
 * tags narrow the union are excluded too.
 */
export function onceForNode(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
  read: () => TypeModel,
): TypeModel {
  const isSame = node !== undefined && (site.overrides?.size ?? 0) === 0 && isClosed(context, node);
  if (!isSame) return read();
  const known = context.unionsRead.get(node) ?? new Map<ts.Type, TypeModel>();
  context.unionsRead.set(node, known);
  const model = known.get(type) ?? read();
  known.set(type, model);
  return model;
}

/**
 * Reads a part of a package's type once for each field of the author, and reuses the result wherever the same type
 * occurs again below that field: a type without a name is otherwise read on each of the ways that lead to it. Types
 * with findings are excluded, since each finding lists the paths on which it was made.
 */
export function onceForField(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
  read: () => TypeModel,
): TypeModel {
  const { reading, partsRead } = context;
  const key = site.foreign === true && (site.overrides?.size ?? 0) === 0 ? keyOf(context, type, node, site) : undefined;
  if (key === undefined) return read();
  const known = partsRead.get(key)?.find((one) => one.type === type && one.isField === site.isField);
  if (known?.place === site.place) return known.model;
  const before = reading.reports;
  const model = read();
  if (reading.reports === before) {
    const others = partsRead.get(key)?.filter((one) => one !== known) ?? [];
    partsRead.set(key, [...others, { type, place: site.place, isField: site.isField, model }]);
  }
  return model;
}

/**
 * Returns the node that alone determines a type; undefined for a type that also depends on where it is used, which is
 * read at each use.
 */
function keyOf(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined, site: Site): ts.Node | undefined {
  if ((type.flags & ts.TypeFlags.Object) !== 0) {
    const { objectFlags } = type as ts.ObjectType;
    const isWhole = (objectFlags & (ts.ObjectFlags.Instantiated | ts.ObjectFlags.Mapped)) === 0;
    const literal = isWhole && type.aliasSymbol === undefined ? type.getSymbol()?.declarations?.[0] : undefined;
    return literal !== undefined && ts.isTypeLiteralNode(literal) ? literal : undefined;
  }
  const written = (type.flags & ts.TypeFlags.UnionOrIntersection) === 0 ? undefined : writtenAt(node, site);
  const opened = written && openType(context, written).node;
  return opened !== undefined && isClosed(context, opened) ? opened : undefined;
}

/** Reads a type that may be recursive. A recursive type gets a name and becomes a definition. */
export function guarded(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
  read: () => TypeModel,
): TypeModel {
  const known = context.named.get(type)?.filter(({ symbol }) => symbol === undefined) ?? [];
  const again = context.open.get(type);
  if (known.length > 0 || again !== undefined) {
    const given = argumentsFor(context, type.aliasSymbol, writtenAt(node, site));
    const tags = argumentTags(context, given);
    const named = known.find((one) => one.tags === tags);
    if (named !== undefined) {
      settleArguments(context, given);
      return { kind: "ref", name: named.name };
    }
    if (again !== undefined) {
      const own = again.name ?? claim(context, type, tags, pascal(again.hint));
      again.name = own;
      return { kind: "ref", name: own };
    }
  }
  const entry: { name?: string; hint: string } = { hint: site.hint };
  context.open.set(type, entry);
  const model = read();
  context.open.delete(type);
  if (entry.name === undefined) return model;
  context.definitions.set(entry.name, model);
  return { kind: "ref", name: entry.name };
}

function claim(context: TypeContext, type: ts.Type, tags: string, hint: string): string {
  const name = claimDefinition(context, type.aliasSymbol?.name ?? hint, type);
  const names = context.named.get(type) ?? [];
  names.push({ symbol: undefined, tags, name });
  context.named.set(type, names);
  return name;
}
