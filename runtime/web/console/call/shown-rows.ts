import type { Step } from "./steps.ts";

/** True for the row of a request or a span. */
export function isCall({ kind }: Step): boolean {
  return kind === "request" || kind === "span";
}

/** The rows of a long timeline that are shown: attempts before steps and waits, these before calls; the latest ones. */
export function shownOf(rows: readonly Step[], most: number): ReadonlySet<Step> {
  if (rows.length <= most) return new Set(rows);
  const rankOf = (row: Step): number => (row.kind === "attempt" ? 0 : isCall(row) ? 2 : 1);
  const ranked = rows.toReversed().toSorted((one, other) => rankOf(one) - rankOf(other));
  return new Set(ranked.slice(0, most));
}
