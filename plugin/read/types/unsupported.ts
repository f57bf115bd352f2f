import { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";
import { report } from "../base/reading.ts";
import type { Site, TypeContext } from "../base/type-context.ts";

/** The fix for a field that can only be removed. */
export const leaveOut = "remove the field, or mark it `@internal`";

function leaveOutFix(site: Site): string {
  if (site.foreign === true)
    return "a package declares the type: take a type of your own with the fields that callers send, or `Omit` this one";
  if (site.subject.startsWith("Field")) return leaveOut;
  return site.subject.startsWith("Parameter") ? "remove the parameter, or take data" : "use data instead";
}

/** Reports a type that JSON cannot carry; the model continues with a type that accepts everything. */
export function unsupported(context: TypeContext, type: ts.Type, site: Site, fix: string): TypeModel {
  report(context.reading, {
    code: "TN301",
    place: site.place,
    message: `${site.subject} ${site.inner === true ? "contains" : "has"} type \`${typeText(context, type)}\`, which JSON cannot carry.`,
    fix: fix === leaveOut || site.foreign === true ? leaveOutFix(site) : fix,
  });
  return { kind: "unknown" };
}

/** Prints a type as its author would write it, shortened, and never with a path of this machine. */
export function typeText(context: TypeContext, type: ts.Type): string {
  const text = context.reading.checker
    .typeToString(
      type,
      undefined,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
    )
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/\s+/g, " ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
