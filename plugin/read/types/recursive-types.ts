import type { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { isClosed } from "./written/closed.ts";
import { writtenAt } from "./written/type-bindings.ts";
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
