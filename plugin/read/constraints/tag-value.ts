import type { FieldModel, JsonLiteral } from "../../model/type.ts";
import { literalFromText } from "../base/constants.ts";
import type { DocTag } from "../base/tsdoc.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { accepts } from "./accepts.ts";
import { complain, lowered, placeIn } from "./tag-scope.ts";
import type { TagScope } from "./tag-scope.ts";

/** A field with the default or the example of a tag. */
export function withValue(
  context: TypeContext,
  field: FieldModel,
  tag: DocTag,
  site: Site,
  scope: TagScope,
): FieldModel {
  // A package documents what its own code fills in, which is not run here.
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

/** A value written in a tag: JSON or a literal; for strings also the bare text. */
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
  if (literal !== undefined && accepts(field.type, literal, context.definitions)) return literal;
  if (text !== "" && accepts(field.type, text, context.definitions)) return text;
  // An example may be prose.
  if (tag.name === "example" && literal === undefined && text.includes(" ")) {
    context.ledger.settle(scope.at, tag, "used");
    return undefined;
  }
  complain(context, scope, tag, {
    code: "TN312",
    place: placeIn(tag, site),
    message:
      text === ""
        ? `\`@${tag.name}\` has no value.`
        : `The value of \`@${tag.name}\`, \`${text.split("\n")[0]}\`, does not fit ${lowered(site.subject)}.`,
    fix: "write it as JSON, in its wire form",
  });
  return undefined;
}
