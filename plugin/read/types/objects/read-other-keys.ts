import { ts } from "ts-morph";
import type { KeyPattern, ObjectType, TypeModel } from "../../../model/type.ts";
import { docOf, isOwnFile, report } from "../../base/reading.ts";
import { applyLayers, narrowingTags } from "../written/apply-layers.ts";
import { makeUnion } from "../unions/make-union.ts";
import { useOf } from "../written/property-source.ts";
import { readTemplate } from "../template.ts";
import { templatePattern } from "../template-pattern.ts";
import { unsupported } from "../unsupported.ts";
import type { Layer } from "../written/written.ts";
import type { Site, TypeContext } from "../../base/type-context.ts";
import { typiaTag } from "../../constraints/typia-tags.ts";

/** Reads the types of keys that are not fields, from index signatures. `{}` accepts every object. */
export function readOtherKeys(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
): Pick<ObjectType, "patterns" | "index"> {
  const all = context.reading.checker.getIndexInfosOfType(type);
  const infos = all.filter((info) => (info.keyType.flags & ts.TypeFlags.ESSymbolLike) === 0);
  if (all.length > 0 && infos.length === 0) {
    unsupported(context, type, site, "use keys that are texts, such as `Record<string, T>`");
    return {};
  }
  if (infos.length === 0) return isAnyObject(type) ? { index: { kind: "unknown" } } : {};
  const patterns: KeyPattern[] = [];
  const plain: TypeModel[] = [];
  for (const info of infos) {
    const key = readKeyType(context, info.keyType, site);
    const model = readValue(context, type, info, site);
    if (key === undefined) plain.push(model);
    else if (patterns.every(({ pattern }) => pattern !== key.pattern)) patterns.push({ ...key, type: model });
  }
  const index = plain.length === 0 ? undefined : makeUnion(plain);
  // Removes repetitions, since `Record<PropertyKey, T>` describes some keys twice.
  const other = patterns.filter((entry) => JSON.stringify(entry.type) !== JSON.stringify(index));
  return { ...(other.length > 0 && { patterns: other }), ...(index !== undefined && { index }) };
}

/** Reads the type of the values of an index signature, with the comment in front of it. */
function readValue(context: TypeContext, type: ts.Type, info: ts.IndexInfo, site: Site): TypeModel {
  if ((info.type.flags & ts.TypeFlags.Never) !== 0) return { kind: "never" };
  const { declaration, node } = writtenKeys(context, type, info);
  const doc = declaration === undefined ? undefined : docOf(declaration);
  const layers: readonly Layer[] =
    declaration === undefined || doc === undefined
      ? []
      : [{ doc, declaration, use: declaration, subject: "The index signature" }];
  if (declaration !== undefined && doc !== undefined && isOwnFile(context.reading, declaration.getSourceFile()))
    context.ledger.meet(declaration, doc);
  const inner: Site = { ...site, mayMiss: true, overrides: narrowingTags(layers) };
  const model = context.read(info.type, node, inner);
  return applyLayers(context, info.type, model, layers, { ...inner, overrides: new Set() });
}

/** Finds the index signature that describes the keys, or the type of the values in `Record<string, T>`. */
function writtenKeys(
  context: TypeContext,
  type: ts.Type,
  info: ts.IndexInfo,
): { readonly declaration?: ts.IndexInfo["declaration"]; readonly node?: ts.TypeNode } {
  const { declaration } = info;
  if (declaration !== undefined) return { declaration, ...(declaration.type && { node: declaration.type }) };
  for (const part of type.isIntersection() ? type.types : [type]) {
    const { declaration: mapped, modifiersType } = part as { declaration?: ts.Node; modifiersType?: ts.Type };
    if (mapped === undefined || !ts.isMappedTypeNode(mapped) || mapped.type === undefined) continue;
    // `Readonly` around a record is removed, since it does not change the values.
    const infos = modifiersType === undefined ? [] : context.reading.checker.getIndexInfosOfType(modifiersType);
    const before = infos.find(({ keyType }) => keyType === info.keyType);
    const isSame = modifiersType !== undefined && before !== undefined && useOf(mapped.type, mapped) === "same";
    return isSame ? writtenKeys(context, modifiersType, before) : { node: mapped.type };
  }
  return {};
}

function isAnyObject(type: ts.Type): boolean {
  const symbol = type.getSymbol();
  const literal = symbol === undefined || symbol.name === "__type" || symbol.name === "Object";
  return literal && type.getProperties().length === 0 && !type.isIntersection();
}

/** Reads the pattern of an index signature's keys; `undefined` when keys may have any name. */
function readKeyType(context: TypeContext, type: ts.Type, site: Site): Omit<KeyPattern, "type"> | undefined {
  if (type.isIntersection()) {
    checkTags(context, type, site);
    const base = type.types.find((member) => (member.flags & ts.TypeFlags.Object) === 0);
    return base === undefined ? undefined : readKeyType(context, base, site);
  }
  if (type.flags & ts.TypeFlags.Number) return { ...templatePattern([{ kind: "number" }]), text: "number" };
  if ((type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) === 0) return undefined;
  const subject = `${site.subject} has keys, and their type`;
  const key = readTemplate(context, type, { ...site, subject });
  return key.kind === "template" ? { pattern: key.pattern, text: key.text } : undefined;
}

/** Reports tags on keys: TypeScript checks only the untagged type of a key, and so does the reader. */
function checkTags(context: TypeContext, type: ts.IntersectionType, site: Site): void {
  const tags = type.types.map((member) => typiaTag(context.reading.checker, member));
  const tag = tags.find((found) => found?.kind === "constraint");
  if (tag?.kind !== "constraint") return;
  report(context.reading, {
    code: "TN309",
    place: site.place,
    message: `${site.subject} has keys with the type tag \`${tag.constraint.name} ${tag.constraint.value}\`, which is for values.`,
    fix: "write the form of the keys as a template literal type, such as `` `id-${string}` ``, or remove the tag",
  });
}
