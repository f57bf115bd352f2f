import { formats } from "../../../runtime/contract/validation/formats/formats.ts";
import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import type { SchemaRule } from "./schema-rules.ts";
import { stringCandidates } from "./string-candidates.ts";
import type { Suspicion } from "./suspicion.ts";

/** Suspicions about the texts of two schemas. */
export function compareStrings(a: FullSchema, b: FullSchema): readonly Suspicion[] {
  const found: Suspicion[] = [];
  const suspect = (rule: SchemaRule, accepted: unknown, refused: unknown): void => {
    const texts = { accepted: String(accepted ?? "none"), refused: String(refused ?? "none") };
    found.push({ rule, steps: [], ...texts, candidates: () => stringCandidates(a, b) });
  };
  if ((b.minLength ?? 0) > (a.minLength ?? 0)) suspect("minLength", a.minLength ?? 0, b.minLength);
  if ((b.maxLength ?? Infinity) < (a.maxLength ?? Infinity)) suspect("maxLength", a.maxLength, b.maxLength);
  const known = patternsOf(a);
  const fresh = patternsOf(b).filter((pattern) => !known.includes(pattern));
  if (fresh.length > 0) suspect("pattern", patternText(known), patternText(patternsOf(b)));
  if (b.format !== undefined && b.format !== a.format && formats[b.format] !== undefined) {
    suspect("format", a.format, b.format);
  }
  return found;
}

/** All patterns that a text must match. */
export function patternsOf({ pattern, allOf = [] }: FullSchema): readonly string[] {
  return [pattern, ...allOf.map((part) => part.pattern)].filter((one) => one !== undefined);
}

function patternText(patterns: readonly string[]): string {
  return patterns.length === 0 ? "none" : patterns.map((pattern) => `/${pattern}/`).join(" and ");
}
