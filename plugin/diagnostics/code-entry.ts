/** Title and explanation of a diagnostic code. `docs/diagnostics.md` is made from these entries. */
export interface CodeEntry {
  readonly level: "error" | "warning" | "hint";
  /** Short title, used as a heading. */
  readonly title: string;
  /** Explains the reason and the fix, as Markdown. */
  readonly explain: string;
  /** Name under which `rules` changes the level. Only findings with a name can be changed. */
  readonly rule?: string;
}
