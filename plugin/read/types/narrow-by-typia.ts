import type { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";
import { report } from "../base/reading.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { accepts } from "../constraints/accepts.ts";
import { constrain, misfit, targetOf, type Constraint } from "../constraints/constraints.ts";
import { contradiction } from "../constraints/contradiction.ts";
import { typiaTag, type TypiaTag, type ValueTag } from "../constraints/typia-tags.ts";
import { checkPatterns } from "../constraints/unsafe-pattern.ts";

/** Narrows a value by typia tags; unsupported tags are reported. */
export function narrowByTypia(
  context: TypeContext,
  value: TypeModel,
  members: readonly ts.Type[],
  site: Site,
): TypeModel {
  const { reading } = context;
  let model = value;
  for (const member of members) {
    const tag = typiaTag(reading.checker, member);
    if (tag === undefined) continue;
    if (tag.kind === "constraint") model = narrow(context, model, tag.constraint, site);
    else if (tag.kind === "bad" || tag.kind === "foreign") reportTag(context, tag, site);
    else model = withValue(context, model, tag, site);
  }
  checkPatterns(reading, model, site);
  const problem = contradiction(model);
  if (problem !== undefined)
    report(reading, { code: "TN311", place: site.place, message: `${site.subject} can have no value: ${problem}.` });
  return model;
}

function narrow({ reading }: TypeContext, model: TypeModel, constraint: Constraint, site: Site): TypeModel {
  const narrowed = constrain(model, constraint);
  const { name, value } = constraint;
  const tag = `${site.subject} has the type tag \`${name} ${value}\``;
  if (narrowed === undefined && model.kind !== "unknown") {
    report(reading, {
      code: "TN309",
      place: site.place,
      message: `${tag}, which is for ${targetOf(constraint)}.`,
      fix: "remove it",
    });
  }
  const other = misfit(model, constraint);
  if (other !== undefined) {
    report(reading, {
      code: "TN309",
      place: site.place,
      message: `${tag}, which forbids \`${JSON.stringify(other.value)}\`.`,
      fix: "change the tag, or the type",
    });
  }
  return narrowed ?? model;
}

/**
 * Applies a default or an example. For a field, it is added to the field later; an item or a value of a map has no
 * default.
 */
function withValue(context: TypeContext, model: TypeModel, tag: ValueTag, site: Site): TypeModel {
  if (site.isField === true || site.isMember === true || model.kind === "object") return model;
  if (tag.kind === "default") {
    report(context.reading, {
      code: "TN110",
      place: site.place,
      message: `The type tag \`default\` has no meaning for an item, a member or a value of a map.`,
      fix: "put it on the field",
    });
    return model;
  }
  return accepts(model, tag.value, context.definitions)
    ? { ...model, examples: [...(model.examples ?? []), tag.value] }
    : model;
}

type Refused = Exclude<TypiaTag, ValueTag | { readonly kind: "constraint" }>;

function reportTag({ reading }: TypeContext, tag: Refused, site: Site): void {
  const { place } = site;
  if (tag.kind === "bad") {
    report(reading, {
      code: "TN310",
      place,
      message: `${site.subject} has the type tag \`${tag.text}\`: ${tag.problem}.`,
    });
  } else if (tag.checks) {
    report(reading, {
      code: "TN309",
      place,
      message: `${site.subject} has the type tag \`${tag.text}\`, whose check only typia can run.`,
      fix: "use a tag that JSON Schema knows, such as `tags.Pattern`, or check the value in the tool",
    });
  } else {
    report(reading, {
      code: "TN110",
      place,
      message: `The type tag \`${tag.text}\` of ${site.subject.replace(/^F/, "f")} does not come into the schema.`,
      fix: "say it in the text of the field, and remove the tag",
    });
  }
}
