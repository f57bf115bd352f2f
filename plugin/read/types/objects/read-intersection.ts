import { ts } from "ts-morph";
import type { TypeModel } from "../../../model/type.ts";
import { isValue, lostMembers, reportLost } from "../lost-members.ts";
import { readObject } from "./read-object.ts";
import { isPhantomProperty } from "../phantom-property.ts";
import type { Site, TypeContext } from "../../base/type-context.ts";
import { applyLayers, narrowingTags } from "../written/apply-layers.ts";
import { writtenAt, type Written } from "../written/type-bindings.ts";
import { openType } from "../written/written.ts";
import { narrowByTypia } from "../narrow-by-typia.ts";

/**
 * Reads an intersection. A value with a brand or a tag is read as the value, narrowed by the tag; several objects
 * become one object.
 */
export function readIntersection(
  context: TypeContext,
  type: ts.IntersectionType,
  node: ts.TypeNode | undefined,
  site: Site,
): TypeModel {
  const { checker } = context.reading;
  const values = type.types.filter((member) => isValue(context, member));
  const parts = writtenParts(context, node, site).filter(
    (part) => !isPhantom(checker, checker.getTypeFromTypeNode(part.node)),
  );
  if (values.length === 0) {
    narrowByTypia(context, { kind: "object", fields: [] }, type.types, site);
    const real = type.types.filter((member) => !isPhantom(checker, member));
    const [only] = real;
    // `User & tags.X` is read as `User`, with its name.
    if (
      real.length === 1 &&
      only !== undefined &&
      type.aliasSymbol === undefined &&
      type.getProperty("$schema") === undefined
    ) {
      const [part, another] = parts;
      return part !== undefined && another === undefined
        ? context.read(only, part.node, { ...site, bindings: part.bindings })
        : context.read(only, undefined, site);
    }
    return readObject(context, type, node, site);
  }
  const precise =
    values.find((member) => (member.flags & (ts.TypeFlags.String | ts.TypeFlags.Number)) === 0) ?? values[0];
  const rest = type.types.filter((member) => !values.includes(member));
  reportLost(context, type, lostMembers(context, type), site);
  const layers = parts.flatMap((written) => openType(context, written).layers);
  const overrides = new Set([...(site.overrides ?? []), ...narrowingTags(layers)]);
  const list = parts.find((written) => ts.isArrayTypeNode(openType(context, written).node));
  const inner: Site = { ...site, overrides, ...(list !== undefined && { bindings: list.bindings }) };
  const model = applyLayers(context, type, context.read(precise as ts.Type, list?.node, inner), layers, site);
  return narrowByTypia(context, model, rest, site);
}

/** Returns the written parts of an intersection, because the compiler forgets the alias of a primitive. */
function writtenParts(context: TypeContext, node: ts.TypeNode | undefined, site: Site): readonly Written[] {
  const written = writtenAt(node, site);
  const opened = written === undefined ? undefined : openType(context, written);
  if (opened === undefined || !ts.isIntersectionTypeNode(opened.node)) return [];
  return opened.node.types.flatMap((part): readonly Written[] => {
    const { node: inner, bindings } = openType(context, { node: part, bindings: opened.bindings });
    const nested = ts.isIntersectionTypeNode(inner) ? writtenParts(context, inner, { ...site, bindings }) : [];
    return [{ node: part, bindings: opened.bindings }, ...nested];
  });
}

/** True for a part without a value at run time: a typia tag, `{}` or a brand. */
function isPhantom(checker: ts.TypeChecker, type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    checker.getIndexInfosOfType(type).length === 0 &&
    checker.getPropertiesOfType(type).every((property) => isPhantomProperty(property)) &&
    type.getCallSignatures().length === 0 &&
    type.getSymbol()?.name.startsWith("__") === true
  );
}
