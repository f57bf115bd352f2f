import type { FieldModel, JsonLiteral, TypeModel } from "../../model/type.ts";
import { literalFromText } from "../base/constants.ts";
import type { DocTag } from "../base/tsdoc.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { accepts } from "./accepts.ts";
import type { ts } from "ts-morph";
import { report, type Finding, type Place } from "../base/reading.ts";
import { tagPlace } from "../comments/doc-text.ts";

/** Adds the default or the example of a tag to a field. */
export function withValue(
  context: TypeContext,
  field: FieldModel,
  tag: DocTag,
  site: Site,
  scope: TagScope,
): FieldModel {
  // A default in a package is ignored: it documents behaviour of the package's own code, which does not run here.
  if (tag.name !== "example" && !scope.own) {
    context.ledger.settle(scope.at, tag, "refused");
    return field;
  }
  const value = fieldValue(context, field, tag, site, scope);
  if (value === undefined) return field;
  context.ledger.settle(scope.at, tag, "used");
  if (tag.name === "example") return { ...field, examples: [...(field.examples ?? []), value] };
  return { ...field, optional: true, default: value };
}

/** Parses a value in a tag: JSON or a literal; for strings also the bare text. */
function fieldValue(
  context: TypeContext,
  field: FieldModel,
  tag: DocTag,
  site: Site,
  scope: TagScope,
): JsonLiteral | undefined {
  const text = tag.text
    .replace(/^```[a-z]*\n([\s\S]*)\n```$/, "$1")
    .replace(/^`([^`]*)`$/, "$1")
    .trim();
  if (field.type.kind === "unknown" && text === "") {
    context.ledger.settle(scope.at, tag, "used");
    return undefined;
  }
  const literal = literalFromText(text);
  const code = codeIn(text, tag.name === "example");
  if (code !== undefined && literal === undefined) {
    complain(context, scope, tag, {
      code: "TN312",
      place: placeIn(tag, site),
      message: `The value of \`@${tag.name}\`, \`${text.split("\n")[0]}\`, is ${code}.`,
      fix: fixOf(tag.name, text),
    });
    return undefined;
  }
  if (literal !== undefined && accepts(field.type, literal, context.definitions)) return literal;
  if (text !== "" && literal !== null && accepts(field.type, text, context.definitions)) return text;
  // An example with blanks may be prose, unless the field is a text.
  if (tag.name === "example" && literal === undefined && text.includes(" ") && field.type.kind !== "string") {
    context.ledger.settle(scope.at, tag, "used");
    return undefined;
  }
  const broken = brokenTag(field.type, literal ?? text);
  complain(context, scope, tag, {
    code: "TN312",
    place: placeIn(tag, site),
    message:
      broken !== undefined
        ? `The value of \`@${tag.name}\`, \`${text.split("\n")[0]}\`, does not match \`@${broken}\` of ${lowered(site.subject)}.`
        : text === ""
          ? `\`@${tag.name}\` has no value.`
          : `The value of \`@${tag.name}\`, \`${text.split("\n")[0]}\`, does not fit ${lowered(site.subject)}.`,
    fix: broken === undefined ? "write it as JSON, in its wire form" : "change the tag, or the value",
  });
  return undefined;
}

/** Describes the kind of code that a text seems to be; undefined for data. A quoted text is data. */
function codeIn(text: string, isExample: boolean): string | undefined {
  if (/\{@\w+[^}]*\}/.test(text)) return "a link and not data";
  // An example of a text field may itself be code, so it is accepted.
  if (isExample) return undefined;
  if (/^(?:undefined|void 0|NaN|-?Infinity)$/.test(text)) return "not a JSON value";
  const isCall = /^(?:await |new )?[\w$]+(?:\??\.[\w$]+)*\([^]*\)(?:\.[\w$]+(?:\([^]*\))?)*;?$/.test(text);
  const isGlobal = /^(?:process|globalThis|import\.meta|Math|Number|Date|Symbol|os|path)\.[\w$.]+$/.test(text);
  return isCall || isGlobal || /^(?:\(.*\)|[\w$]+) => /.test(text) ? "code and not data" : undefined;
}

function fixOf(name: string, text: string): string {
  if (text === "undefined") return "remove the tag: a field with `?` may be missing";
  const meant = `write a value as JSON, or the text in quotes: \`${JSON.stringify(text)}\``;
  return name === "example"
    ? meant
    : `${meant}; a computed one is filled in by the tool, and described in the field's text`;
}

/** Returns the format, pattern or step that a value does not match, if nothing else is wrong with the value. */
function brokenTag(type: TypeModel, value: JsonLiteral): string | undefined {
  const isLegal = (other: TypeModel): boolean => accepts(other, value, new Map());
  if (type.kind === "number") {
    const { multipleOf, ...others } = type;
    return multipleOf !== undefined && isLegal(others) ? `multipleOf ${multipleOf}` : undefined;
  }
  if (type.kind !== "string" || typeof value !== "string") return undefined;
  const { patterns = [], format, ...others } = type;
  if (!isLegal(others)) return undefined;
  if (format !== undefined && !isLegal({ ...others, format })) return `format ${format}`;
  const pattern = patterns.find((one) => !new RegExp(one, "u").test(value));
  return pattern === undefined ? undefined : `pattern ${pattern}`;
}

/** Origin of tags, and whether they still fit the field's type. */
export interface TagScope {
  /** False for tags of a package, whose mistakes the author cannot fix. */
  readonly own: boolean;
  /** False when a mapped type has changed the field's type: then only its texts are used. */
  readonly narrow: boolean;
  /** Node at which the ledger records the tags. */
  readonly at: ts.Node;
  /**
   * Kind of place that has the comment, for messages; default: a field. A type that is only part of a field has no
   * default.
   */
  readonly on?: "field" | "parameter" | "type of a field" | "type" | "model";
}

/** Refuses a tag; reports this if the tag is the author's own. */
export function complain(context: TypeContext, scope: TagScope, tag: DocTag | undefined, finding: Finding): void {
  if (tag !== undefined) context.ledger.settle(scope.at, tag, "refused");
  if (scope.own) report(context.reading, finding);
}

/** The position of a tag, for messages. */
export function placeIn(tag: DocTag | undefined, site: Site): Place {
  return tag === undefined ? site.place : tagPlace(tag, site.place);
}

/** Lower-cases a subject for use inside of a sentence. */
export function lowered(subject: string): string {
  return subject.slice(0, 1).toLowerCase() + subject.slice(1);
}
