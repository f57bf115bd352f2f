import { ts } from "ts-morph";
import type { Code } from "../../diagnostics/codes.ts";
import type { TypeModel } from "../../model/type.ts";
import { report } from "../base/reading.ts";
import type { Site, TypeContext } from "../base/type-context.ts";

/** The fix for a field that can only be removed. */
export const leaveOut = "remove the field, or mark it `@internal`";

/** A finding about the type of a site: its code, its message without the subject, and the fix in the author's file. */
interface TypeFinding {
  readonly code: Code;
  readonly message: string;
  readonly type?: string;
  readonly fix: string;
}

/**
 * Reports a type. If a package declares the type, the finding has another fix, since the author cannot change the
 * package.
 */
export function reportType(context: TypeContext, site: Site, { code, message, type, fix }: TypeFinding): void {
  // Findings in the author's own file are distinguished by type; findings about a package's type, by path.
  const path = site.foreign === true ? [`\`${site.path ?? ""}\``] : [];
  const text = type === undefined ? [] : [`\`${type}\``];
  report(context.reading, {
    code,
    place: site.place,
    message: `${site.subject} ${message}`,
    item: path.length > 0 && text.length > 0 ? `${path[0]} (${text[0]})` : [...path, ...text].join(""),
    fix: site.foreign === true ? foreignFix(code) : fix,
  });
}

function foreignFix(code: Code): string {
  const install = code === "TN302" ? "install what the package imports, " : "";
  return `a package declares the type: ${install}take a type of your own with the fields that callers send, or \`Omit\` this one`;
}

function leaveOutFix(site: Site): string {
  if (site.subject.startsWith("Field")) return leaveOut;
  return site.subject.startsWith("Parameter") ? "remove the parameter, or take data" : "use data instead";
}

/** Reports a type that JSON cannot carry; the model continues with a type that accepts everything. */
export function unsupported(context: TypeContext, type: ts.Type, site: Site, fix: string): TypeModel {
  const text = typeText(context, type);
  reportType(context, site, {
    code: "TN301",
    message: `${holds(site)} type \`${text}\`, which JSON cannot carry.`,
    type: text,
    fix: fix === leaveOut ? leaveOutFix(site) : fix,
  });
  return { kind: "unknown" };
}

/** Suggests the fix for `undefined`: a field may be missing, an item may not. */
export function absentFix(site: Site): string {
  if (site.inner !== true) return "use `null`, or make a field optional with `?`";
  return "use `null`, or take it out: JSON has no missing items and values";
}

/** Returns the verb for a message: a subject has a type, or contains a value of the type. */
export function holds(site: Site): "contains" | "has" {
  return site.inner === true ? "contains" : "has";
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
