/** What one diagnostic code means; `docs/diagnostics.md` is made from these entries. */
export interface CodeEntry {
  readonly level: "error" | "warning";
  /** A few words, for a heading. */
  readonly title: string;
  /** Why it matters and what to do, as Markdown. */
  readonly explain: string;
  /** Name under which `rules` changes the level; only findings that have one can be changed. */
  readonly rule?: string;
}
