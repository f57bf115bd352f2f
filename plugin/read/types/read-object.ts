import type { ts } from "ts-morph";
import type { ObjectType, TypeModel } from "../../model/type.ts";
import { descriptionOf, tagText } from "../comments/doc-text.ts";
import { docOf, placeOf, report } from "../base/reading.ts";
import { schemaUrn } from "./schema-urn.ts";
import { readField } from "./read-field.ts";
import { readOtherKeys } from "./read-other-keys.ts";
import { part } from "../base/type-context.ts";
import type { Guard, Site, TypeContext } from "../base/type-context.ts";
import { claimDefinition, nameOf } from "./type-names.ts";
import type { TypeName } from "./type-names.ts";
import { orderMembers } from "./union-order.ts";
import { typeText } from "./unsupported.ts";

/** Number of nested types with one name after which a type is considered endless. */
const depthLimit = 12;

/** Reads an object: a named one becomes a definition, an anonymous one stays inline. */
export function readObject(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
  guard: Guard,
): TypeModel {
  const name = nameOf(context, type, node);
  for (const declaration of (name?.symbol ?? type.getSymbol())?.declarations ?? [])
    context.reading.touched.add(declaration.getSourceFile());
  if (name === undefined) return guard(context, type, site, () => readMembers(context, type, node, undefined, site));
  const known = context.named.get(type)?.get(name.symbol);
  if (known !== undefined) return { kind: "ref", name: known };
  if (context.stack.filter((symbol) => symbol === name.symbol).length >= depthLimit)
    return endless(context, type, site);
  const own = claimDefinition(context, name.text, type);
  const names = context.named.get(type) ?? new Map<ts.Symbol | undefined, string>();
  names.set(name.symbol, own);
  context.named.set(type, names);
  context.stack.push(name.symbol);
  const model = readMembers(context, type, node, name, { ...site, hint: own });
  context.stack.pop();
  context.definitions.set(own, model);
  return { kind: "ref", name: own };
}

function readMembers(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  name: TypeName | undefined,
  site: Site,
): ObjectType {
  const { checker } = context.reading;
  if (context.open.size > 60) {
    endless(context, type, site);
    return { kind: "object", fields: [] };
  }
  const inner = part(site, undefined);
  const nodes = node === undefined ? site.nodes : [node, ...site.nodes];
  const fields = inWrittenOrder(checker, checker.getPropertiesOfType(type), nodes).flatMap(
    (property) => readField(context, type, property, inner) ?? [],
  );
  const others = readOtherKeys(context, type, inner);
  const marker = schemaUrn(context, type, name, site);
  return {
    kind: "object",
    fields,
    ...others,
    ...marker,
    ...readDoc(context, name),
  };
}

/**
 * Sorts keys in the order of their declaration. Keys of a mapped type over literals are not declared; they are sorted
 * like the literals, since the compiler orders those by their first use anywhere in the program.
 */
function inWrittenOrder(
  checker: ts.TypeChecker,
  properties: readonly ts.Symbol[],
  nodes: readonly ts.Node[],
): readonly ts.Symbol[] {
  const isDeclared = (property: ts.Symbol): boolean => (property.declarations?.length ?? 0) > 0;
  const undeclared = new Map(
    properties.filter((property) => !isDeclared(property)).map((one) => [checker.getStringLiteralType(one.name), one]),
  );
  if (undeclared.size < 2) return properties;
  const ordered = orderMembers(checker, [...undeclared.keys()], nodes)
    .flatMap((key) => undeclared.get(key) ?? [])
    .values();
  return properties.map((property) => (isDeclared(property) ? property : (ordered.next().value ?? property)));
}

function readDoc(
  context: TypeContext,
  name: TypeName | undefined,
): Pick<ObjectType, "title" | "description" | "deprecated"> {
  for (const declaration of name?.symbol.declarations ?? []) {
    const doc = docOf(declaration);
    if (doc === undefined) continue;
    const place = placeOf(declaration);
    const description = descriptionOf(context.reading, doc, place);
    const title = doc.tags.find((tag) => tag.name === "title");
    const deprecated = doc.tags.find((tag) => tag.name === "deprecated");
    return {
      ...(title === undefined || title.text === "" ? {} : { title: tagText(context.reading, title, place) }),
      ...(description === "" ? {} : { description }),
      ...(deprecated === undefined ? {} : { deprecated: tagText(context.reading, deprecated, place) || true }),
    };
  }
  return {};
}

function endless(context: TypeContext, type: ts.Type, site: Site): TypeModel {
  report(context.reading, {
    code: "TN307",
    place: site.place,
    message: `${site.subject} has type \`${typeText(context, type)}\`, which expands without end.`,
    fix: "let the type refer to itself with the same type arguments",
  });
  return { kind: "unknown" };
}
