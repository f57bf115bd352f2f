import type { TypeModel } from "../../model/type.ts";
import { report, type Place, type Reading } from "../base/reading.ts";

/** Position of a pattern, for a finding. */
export interface PatternSite {
  readonly place: Place;
  readonly subject: string;
  /** The pattern at this place; default: all patterns of the type. */
  readonly only?: string;
}

interface JudgedSite extends PatternSite {
  /** The template literal type behind the pattern. */
  readonly template?: string;
}

/** Maximum number of steps of a regular expression, which take some hundredths of a second. */
const mostSteps = 1e7;
const useString = "put texts that cannot occur in the parts between them, or use `string` with `@pattern`";

/** Reports the patterns of a type and its list items for which some text would block a server. */
export function checkPatterns(reading: Reading, type: TypeModel, site: PatternSite): void {
  if (reading.rules["unsafe-pattern"] === "off") return;
  switch (type.kind) {
    case "string":
      for (const pattern of type.patterns ?? []) {
        if (site.only === undefined || site.only === pattern) checkPattern(reading, pattern, type.maxLength, site);
      }
      return;
    case "array":
    case "set":
      checkPatterns(reading, type.items, site);
      return;
    case "union":
      for (const member of type.members) checkPatterns(reading, member, site);
      return;
    case "template":
      checkPattern(reading, type.pattern, undefined, { ...site, template: type.text });
      return;
    default:
      return;
  }
}

function checkPattern(reading: Reading, pattern: string, maxLength: number | undefined, site: JudgedSite): void {
  const what = site.template === undefined ? `has the pattern \`${pattern}\`` : `is ${quoted(site.template)}`;
  const verdict = reading.judgePattern(pattern);
  if (verdict.status === "unknown") {
    report(reading, {
      code: "TN317",
      place: site.place,
      message: `${site.subject} ${what}, and the check could not decide if some text makes it slow.`,
      fix:
        site.template !== undefined
          ? useString
          : "write it without looking ahead or back, references to groups, and modifiers",
    });
  }
  if (verdict.status !== "vulnerable" || isShort(verdict.degree, maxLength)) return;
  const { complexity, attack, degree } = verdict;
  const bound =
    degree === undefined ? "" : `, or limit the text before it is tried: \`@maxLength ${longest(degree)}\` or less`;
  report(reading, {
    code: "TN316",
    place: site.place,
    message: `${site.subject} ${what}, which takes ${timeOf(complexity)} on texts such as \`${attack}\`.`,
    fix: site.template !== undefined ? useString : `${fixOf(pattern, degree)}${bound}`,
  });
}

/**
 * Suggests a fix. Adding `^` may be enough, because the complexity is often caused by the many positions at which an
 * unanchored pattern is tried.
 */
function fixOf(pattern: string, degree: number | undefined): string {
  const apart = "let no two repeated parts match the same text";
  if (pattern.startsWith("^")) return apart;
  return degree === undefined
    ? `${apart}, and begin the pattern with \`^\``
    : `begin the pattern with \`^\`, and ${apart}`;
}

/** Quotes a type; a template type is quoted differently, since it contains backticks itself. */
function quoted(type: string): string {
  return type.includes("`") ? type : `\`${type}\``;
}

/** True if a length limit, which is checked before the pattern, keeps the polynomial small. */
function isShort(degree: number | undefined, maxLength: number | undefined): boolean {
  return degree !== undefined && maxLength !== undefined && maxLength <= longest(degree);
}

/** Maximum length for which a polynomial of this degree stays small, as a round number. */
function longest(degree: number): number {
  const length = Math.floor(mostSteps ** (1 / degree));
  const unit = 10 ** (String(length).length - 1);
  return Math.floor(length / unit) * unit;
}

function timeOf(complexity: string): string {
  return complexity === "exponential" ? "exponential time" : `time that grows as a ${complexity}`;
}
