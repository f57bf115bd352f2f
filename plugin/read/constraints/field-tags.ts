import type { FieldModel, TypeModel } from "../../model/type.ts";
import { checkTag } from "../comments/check-tag.ts";
import { plainText, tagPlace } from "../comments/doc-text.ts";
import { report } from "../base/reading.ts";
import { checkPatterns } from "./unsafe-pattern.ts";
import { constraintTags, fieldTags, ownTags } from "../base/tag-names.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";
import { constrain, misfit, targetOf } from "./constraints.ts";
import { contradiction } from "./contradiction.ts";
import { parseConstraint } from "./parse-constraint.ts";
import { complain, lowered, placeIn, type TagScope, withValue } from "./tag-value.ts";
import type { Site, TypeContext } from "../base/type-context.ts";

/** Applies the tags of a field's comment to the field. */
export function applyFieldTags(
  context: TypeContext,
  field: FieldModel,
  doc: Doc,
  site: Site,
  scope: TagScope,
): FieldModel {
  let result = field;
  reportTwice(context, doc, site, scope);
  if (scope.narrow) {
    let { type } = field;
    for (const tag of doc.tags)
      type = constraintTags.has(tag.name) ? applyConstraint(context, type, tag, site, scope) : type;
    const problem = contradiction(type);
    if (problem === undefined || contradiction(field.type) !== undefined) result = { ...result, type };
    else {
      const tag = doc.tags.findLast((candidate) => constraintTags.has(candidate.name));
      for (const narrowing of doc.tags.filter(({ name }) => constraintTags.has(name)))
        context.ledger.settle(scope.at, narrowing, "refused");
      complain(context, scope, tag, {
        code: "TN311",
        place: placeIn(tag, site),
        message: `${site.subject} can have no value: ${problem}.`,
      });
    }
    for (const tag of doc.tags.filter(({ name }) => name === "pattern")) {
      // Patterns of a package are checked at the author's field, since this service runs them.
      const place = scope.own ? placeIn(tag, site) : site.place;
      checkPatterns(context.reading, result.type, { place, subject: site.subject, only: tag.text });
    }
  }
  for (const tag of doc.tags) {
    if (scope.own) checkSpelling(context, tag, site, scope);
    if (tag.name === "title" || tag.name === "deprecated") {
      const text = plainText(context.reading, tag.text, scope.own ? placeIn(tag, site) : site.place);
      if (tag.name === "deprecated") result = { ...result, deprecated: text === "" ? true : text };
      else if (text !== "") result = { ...result, title: text };
      context.ledger.settle(scope.at, tag, "used");
    } else if ((scope.on === "type" || scope.on === "model") && fieldOnly.has(tag.name))
      refuseOnType(context, tag, site, scope);
    else if (tag.name === "header") result = withHeader(context, result, tag, site, scope);
    else if (scope.narrow && valueTags.has(tag.name)) result = withValue(context, result, tag, site, scope);
  }
  return result;
}

/** Tags that a value can have only once. Several bounds or patterns are combined instead. */
const single: ReadonlySet<string> = new Set([
  "format",
  "multipleOf",
  "type",
  "default",
  "defaultValue",
  "title",
  "deprecated",
  "header",
]);

/** Reports a repeated tag with a different value, of which only the last one would count. */
function reportTwice(context: TypeContext, doc: Doc, site: Site, scope: TagScope): void {
  const seen = new Map<string, string>();
  for (const tag of doc.tags.filter(({ name }) => single.has(name))) {
    const name = tag.name === "defaultValue" ? "default" : tag.name;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, tag.text);
    else if (first !== tag.text)
      complain(context, scope, undefined, {
        code: "TN310",
        place: placeIn(tag, site),
        message: `\`@${tag.name}\` is given twice: \`${first.split("\n")[0]}\` and \`${tag.text.split("\n")[0]}\`.`,
        fix: "keep one",
      });
  }
}

const fieldOnly: ReadonlySet<string> = new Set(["default", "defaultValue", "header"]);

function refuseOnType(context: TypeContext, tag: DocTag, site: Site, scope: TagScope): void {
  complain(context, scope, tag, {
    code: "TN110",
    place: placeIn(tag, site),
    message: `\`@${tag.name}\` of ${lowered(site.subject)} has no meaning ${scope.on === "model" ? "on a model" : "for an item, a member or a value of a map"}.`,
    fix: "put it on the fields that it is meant for",
  });
}

const valueTags: ReadonlySet<string> = new Set(["default", "defaultValue", "example"]);

function applyConstraint(context: TypeContext, type: TypeModel, tag: DocTag, site: Site, scope: TagScope): TypeModel {
  const place = placeIn(tag, site);
  const constraint = parseConstraint(tag.name, tag.text);
  if (constraint === undefined) {
    context.ledger.settle(scope.at, tag, "used");
    return type;
  }
  if (typeof constraint === "string") {
    const given = tag.text === "" ? "no value" : `the value \`${tag.text.split("\n")[0]}\``;
    complain(context, scope, tag, { code: "TN310", place, message: `\`@${tag.name}\` has ${given}: ${constraint}.` });
    return type;
  }
  const narrowed = constrain(type, constraint);
  const other = narrowed === undefined ? undefined : misfit(type, constraint);
  if (other !== undefined) {
    const message = `\`@${tag.name} ${tag.text}\` forbids \`${JSON.stringify(other.value)}\`, which ${lowered(site.subject)} can be.`;
    complain(context, scope, tag, { code: "TN309", place, message, fix: "change the tag, or the type" });
  }
  if (narrowed !== undefined) {
    context.ledger.settle(scope.at, tag, other === undefined ? "used" : "refused");
    return narrowed;
  }
  if (type.kind !== "unknown") {
    const message = `\`@${tag.name}\` is for ${targetOf(constraint)}, and ${lowered(site.subject)} holds none.`;
    complain(context, scope, tag, { code: "TN309", place, message, fix: "remove the tag, or change the type" });
  }
  return type;
}

const scalarKinds: ReadonlySet<string> = new Set([
  "string",
  "number",
  "boolean",
  "literal",
  "template",
  "bigint",
  "date",
  "url",
]);

function withHeader(context: TypeContext, field: FieldModel, tag: DocTag, site: Site, scope: TagScope): FieldModel {
  const kinds = field.type.kind === "union" ? field.type.members.map((member) => member.kind) : [field.type.kind];
  const problem = !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(tag.text)
    ? "it takes the name of an HTTP header"
    : kinds.every((kind) => scalarKinds.has(kind))
      ? undefined
      : "only a single value fits into a header";
  if (problem === undefined) {
    context.ledger.settle(scope.at, tag, "used");
    return { ...field, header: tag.text };
  }
  complain(context, scope, tag, {
    code: "TN310",
    place: placeIn(tag, site),
    message: `\`@header ${tag.text}\` is not valid: ${problem}.`,
  });
  return field;
}

function checkSpelling(context: TypeContext, tag: DocTag, site: Site, scope: TagScope): void {
  const place = tagPlace(tag, site.place);
  const isType = scope.on === "model" || scope.on?.startsWith("type") === true;
  if (checkTag(context.reading, tag, site.place, !isType)) context.ledger.settle(scope.at, tag, "refused");
  else if (
    ownTags.has(tag.name) &&
    !constraintTags.has(tag.name) &&
    !fieldTags.has(tag.name) &&
    tag.name !== "readonly" &&
    // The schema URN of the type itself is not a repetition.
    !(tag.name === "schema" && isType)
  ) {
    report(context.reading, {
      code: "TN110",
      place,
      message: `\`@${tag.name}\` has no meaning on a ${scope.on === "type of a field" ? "type" : (scope.on ?? "field")}.`,
      fix: "remove it",
    });
  }
}
