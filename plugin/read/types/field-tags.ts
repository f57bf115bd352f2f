import type { FieldModel, JsonLiteral, TypeModel } from "../../model/type.ts";
import { literalFromText } from "../constants.ts";
import { tagPlace, tagText } from "../doc-text.ts";
import { report } from "../reading.ts";
import { constraintTags, fieldTags, nearMiss, ownTags } from "../tag-names.ts";
import type { Doc, DocTag } from "../tsdoc.ts";
import { accepts } from "./accepts.ts";
import { constrain, contradiction, targetOf } from "./constraints.ts";
import { parseConstraint } from "./parse-constraint.ts";
import type { Site, TypeContext } from "./type-context.ts";

/**
 * A field with what the tags of its comment say. `narrow` is false where the tags were written for another type or are not
 * the author's: then only texts are taken.
 */
export function applyFieldTags(context: TypeContext, field: FieldModel, doc: Doc, site: Site, narrow: boolean): FieldModel {
  let type = field.type;
  let result = field;
  const { reading } = context;
  if (narrow) {
    for (const tag of doc.tags) {
      type = constraintTags.has(tag.name) ? applyConstraint(context, type, tag, site) : type;
      checkSpelling(context, tag, site);
    }
    const problem = contradiction(type);
    if (problem !== undefined && contradiction(field.type) === undefined) {
      const tag = doc.tags.findLast((candidate) => constraintTags.has(candidate.name)) ?? doc.tags[0];
      const place = tag === undefined ? site.place : tagPlace(tag, site.place);
      report(reading, { code: "TN311", place, message: `${site.subject} can have no value: ${problem}.` });
    }
    result = { ...result, type };
  }
  for (const tag of doc.tags) {
    const text = tagText(reading, tag, site.place);
    if (tag.name === "title" && text !== "") result = { ...result, title: text };
    else if (tag.name === "deprecated") result = { ...result, deprecated: text === "" ? true : text };
    else if (narrow && (tag.name === "default" || tag.name === "defaultValue")) {
      const value = fieldValue(context, result, tag, site);
      if (value !== undefined) result = { ...result, optional: true, default: value };
    } else if (narrow && tag.name === "example") {
      const value = fieldValue(context, result, tag, site);
      if (value !== undefined) result = { ...result, examples: [...(result.examples ?? []), value] };
    } else if (tag.name === "header") result = withHeader(context, result, tag, site);
  }
  return result;
}

function applyConstraint(context: TypeContext, type: TypeModel, tag: DocTag, site: Site): TypeModel {
  const place = tagPlace(tag, site.place);
  const constraint = parseConstraint(tag.name, tag.text);
  if (constraint === undefined) return type;
  if (typeof constraint === "string") {
    const given = tag.text === "" ? "no value" : `the value \`${tag.text.split("\n")[0]}\``;
    report(context.reading, { code: "TN310", place, message: `\`@${tag.name}\` has ${given}: ${constraint}.` });
    return type;
  }
  const narrowed = constrain(type, constraint);
  if (narrowed !== undefined) return narrowed;
  if (type.kind !== "unknown") {
    report(context.reading, {
      code: "TN309",
      place,
      message: `\`@${tag.name}\` is for ${targetOf(constraint)}, and ${site.subject.slice(0, 1).toLowerCase() + site.subject.slice(1)} holds none.`,
      fix: "remove the tag, or change the type",
    });
  }
  return type;
}

/** A value written in a tag: JSON or a literal; for strings also the bare text. */
function fieldValue(context: TypeContext, field: FieldModel, tag: DocTag, site: Site): JsonLiteral | undefined {
  const text = tag.text.replace(/^```[a-z]*\n([\s\S]*)\n```$/, "$1").replace(/^`([^`]*)`$/, "$1").trim();
  if (field.type.kind === "unknown" && text === "") return undefined;
  const literal = literalFromText(text);
  if (literal !== undefined && accepts(field.type, literal, context.definitions)) return literal;
  if (text !== "" && accepts(field.type, text, context.definitions)) return text;
  // An example may be prose.
  if (tag.name === "example" && literal === undefined && text.includes(" ")) return undefined;
  report(context.reading, {
    code: "TN312",
    place: tagPlace(tag, site.place),
    message: `The value of \`@${tag.name}\`, \`${text.split("\n")[0]}\`, does not fit ${site.subject.slice(0, 1).toLowerCase() + site.subject.slice(1)}.`,
    fix: "write it as JSON, as it stands on the wire",
  });
  return undefined;
}

function withHeader(context: TypeContext, field: FieldModel, tag: DocTag, site: Site): FieldModel {
  const scalar = ["string", "number", "boolean", "literal", "template", "bigint", "date", "url"];
  const kinds = field.type.kind === "union" ? field.type.members.map((member) => member.kind) : [field.type.kind];
  const problem = !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(tag.text)
    ? "it takes the name of an HTTP header"
    : kinds.every((kind) => scalar.includes(kind)) ? undefined : "only a single value fits into a header";
  if (problem === undefined) return { ...field, header: tag.text };
  report(context.reading, { code: "TN310", place: tagPlace(tag, site.place), message: `\`@header ${tag.text}\` cannot be used: ${problem}.` });
  return field;
}

function checkSpelling(context: TypeContext, tag: DocTag, site: Site): void {
  const meant = nearMiss(tag.name);
  const place = tagPlace(tag, site.place);
  if (meant !== undefined) {
    report(context.reading, { code: "TN109", place, message: `\`@${tag.name}\` is not a tag; \`@${meant}\` may be meant.`, fix: `write \`@${meant}\`` });
  } else if (ownTags.has(tag.name) && !constraintTags.has(tag.name) && !fieldTags.has(tag.name) && tag.name !== "readonly") {
    report(context.reading, { code: "TN110", place, message: `\`@${tag.name}\` has no meaning on a field.`, fix: "remove it" });
  }
}
