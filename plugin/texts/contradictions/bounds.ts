import type { Claimed, Contradiction } from "./claims.ts";

const value = String.raw`(-?\d[\d,_]*(?:\.\d+)?)`;
const between = new RegExp(
  String.raw`\b(?:between|from|range(?: of)?:?)\s+${value}\s*(?:and|to|-|–|\.\.\.?)\s*${value}`,
  "i",
);
const brief = new RegExp(String.raw`[([]\s*${value}\s*(?:-|–|to|\.\.\.?)\s*${value}\s*[)\]]`, "i");
const most = new RegExp(String.raw`\b(?:at most|up to|max(?:imum)?(?: is| of|:|=)?|no more than)\s*${value}`, "i");
const least = new RegExp(String.raw`\b(?:at least|min(?:imum)?(?: is| of|:|=)?|no less than)\s*${value}`, "i");
/** Matches a unit in which the text may count differently than the field. */
const unit =
  /^\s*(?:%|[kmg]i?b?\b|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?|ms\b|s\b|m\b|h\b|x\b|[kmg]b|bytes?|px|st|nd|rd|th)/i;
/** Matches words after which the numbers do not refer to the value. */
const other = /characters|letters|items|entries|elements|results per|default/i;

/** Finds a number in the text that is outside of the type's bounds. */
export function bounds({ type, text }: Claimed): Contradiction | undefined {
  if (type.kind !== "number") return undefined;
  const low = type.minimum ?? type.exclusiveMinimum;
  const high = type.maximum ?? type.exclusiveMaximum;
  const range = between.exec(text) ?? brief.exec(text);
  const claims = [
    range && { number: numberOf(range[1]), end: range.index + range[0].length },
    range && { number: numberOf(range[2]), end: range.index + range[0].length },
    ...[most, least].map((pattern) => {
      const found = pattern.exec(text);
      return found && { number: numberOf(found[1]), end: found.index + found[0].length };
    }),
  ];
  for (const claim of claims) {
    if (!claim || Number.isNaN(claim.number)) continue;
    const rest = text.slice(claim.end, claim.end + 24);
    if (unit.test(rest) || other.test(rest)) continue;
    if (high !== undefined && claim.number > high) return { said: String(claim.number), is: `at most ${high}` };
    if (low !== undefined && claim.number < low) return { said: String(claim.number), is: `at least ${low}` };
  }
  return undefined;
}

function numberOf(text: string | undefined): number {
  return Number(text?.replace(/[,_]/g, "") ?? Number.NaN);
}
