import { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";
import { report } from "../base/reading.ts";
import { checkPatterns } from "../constraints/unsafe-pattern.ts";
import { dataMembers, reportLost } from "./lost-members.ts";
import { platformType } from "./platform-types.ts";
import { constrain, contradiction, misfit, targetOf } from "../constraints/constraints.ts";
import { readObject } from "./read-object.ts";
import { isPhantomProperty } from "./phantom-property.ts";
import type { Guard, Site, TypeContext } from "../base/type-context.ts";
import { typiaTag } from "../constraints/typia-tags.ts";

/**
 * Reads an intersection. A brand or a tag on a value gives the value, narrowed by the tag; several objects become one
 * object.
 */
export function readIntersection(
  context: TypeContext,
  type: ts.IntersectionType,
  node: ts.TypeNode | undefined,
  site: Site,
  guard: Guard,
): TypeModel {
  const { checker } = context.reading;
  const values = type.types.filter((member) => isValue(context, member));
  if (values.length === 0) {
    const real = type.types.filter((member) => !isPhantom(checker, member));
    const [only] = real;
    // `User & tags.X` is a `User`, by its own name.
    if (
      real.length === 1 &&
      only !== undefined &&
      type.aliasSymbol === undefined &&
      type.getProperty("$schema") === undefined
    ) {
      return context.read(only, undefined, site);
    }
    return readObject(context, type, node, site, guard);
  }
  const precise =
    values.find((member) => (member.flags & (ts.TypeFlags.String | ts.TypeFlags.Number)) === 0) ?? values[0];
  const beside = values.some((member) => (member.flags & ts.TypeFlags.Object) !== 0) ? "object" : "primitive";
  const rest = type.types.filter((member) => !values.includes(member));
  reportLost(
    context,
    type,
    rest.flatMap((member) => dataMembers(checker, member, beside)),
    site,
  );
  let model = context.read(precise as ts.Type, undefined, site);
  for (const member of rest) {
    const tag = typiaTag(checker, member);
    if (tag?.kind === "bad") {
      report(context.reading, {
        code: "TN310",
        place: site.place,
        message: `${site.subject} has the type tag \`${tag.text}\`: ${tag.problem}.`,
      });
    }
    if (tag?.kind !== "constraint") continue;
    const narrowed = constrain(model, tag.constraint);
    if (narrowed === undefined && model.kind !== "unknown" && model.kind !== "bigint") {
      const { name, value } = tag.constraint;
      report(context.reading, {
        code: "TN309",
        place: site.place,
        message: `${site.subject} has the type tag \`${name} ${value}\`, which is for ${targetOf(tag.constraint)}.`,
        fix: "remove it",
      });
    }
    const other = misfit(model, tag.constraint);
    if (other !== undefined) {
      const { name, value } = tag.constraint;
      report(context.reading, {
        code: "TN309",
        place: site.place,
        message: `${site.subject} has the type tag \`${name} ${value}\`, which forbids \`${JSON.stringify(other.value)}\`.`,
        fix: "change the tag, or the type",
      });
    }
    model = narrowed ?? model;
  }
  checkPatterns(context.reading, model, site);
  const problem = contradiction(model);
  if (problem !== undefined)
    report(context.reading, {
      code: "TN311",
      place: site.place,
      message: `${site.subject} can have no value: ${problem}.`,
    });
  return model;
}

/** True for a part that is the value itself: a primitive, a list, or a converted type. */
function isValue(context: TypeContext, type: ts.Type): boolean {
  if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) === 0) return true;
  const { checker } = context.reading;
  return (
    checker.isArrayType(type) ||
    checker.isTupleType(type) ||
    platformType(context.reading, type.getSymbol()) !== undefined
  );
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
