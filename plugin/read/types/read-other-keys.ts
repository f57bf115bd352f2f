import { ts } from "ts-morph";
import type { KeyPattern, ObjectType, TypeModel } from "../../model/type.ts";
import { report } from "../base/reading.ts";
import { makeUnion } from "./make-union.ts";
import { readTemplate } from "./template.ts";
import { templatePattern } from "./template-pattern.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { typiaTag } from "../constraints/typia-tags.ts";

/** The types of keys that are not fields, from index signatures. `{}` accepts every object. */
export function readOtherKeys(context: TypeContext, type: ts.Type, site: Site): Pick<ObjectType, "patterns" | "index"> {
  const { checker } = context.reading;
  const infos = checker
    .getIndexInfosOfType(type)
    .filter((info) => (info.keyType.flags & ts.TypeFlags.ESSymbolLike) === 0);
  if (infos.length === 0) return isAnyObject(type) ? { index: { kind: "unknown" } } : {};
  const patterns: KeyPattern[] = [];
  const plain: TypeModel[] = [];
  for (const { keyType, type: valueType, declaration } of infos) {
    const key = readKeyType(context, keyType, site);
    const model = context.read(valueType, declaration?.type, { ...site, mayMiss: true });
    if (key === undefined) plain.push(model);
    else if (patterns.every(({ pattern }) => pattern !== key.pattern)) patterns.push({ ...key, type: model });
  }
  const index = plain.length === 0 ? undefined : makeUnion(plain);
  // `Record<PropertyKey, T>` describes some keys twice.
  const other = patterns.filter((entry) => JSON.stringify(entry.type) !== JSON.stringify(index));
  return { ...(other.length > 0 && { patterns: other }), ...(index !== undefined && { index }) };
}

function isAnyObject(type: ts.Type): boolean {
  const symbol = type.getSymbol();
  const literal = symbol === undefined || symbol.name === "__type" || symbol.name === "Object";
  return literal && type.getProperties().length === 0 && !type.isIntersection();
}

/** The pattern of an index signature's keys; `undefined` when they may have any name. */
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

/** TypeScript checks only the base of a tagged key, and so does the reader. */
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
