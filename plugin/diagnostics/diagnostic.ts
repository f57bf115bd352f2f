/** An edit of the file that a diagnostic names, or of another file. */
export interface Edit {
  /** UTF-16 offset; the text is inserted before the character at that offset. */
  readonly offset: number;
  /** UTF-16 units that the text replaces; default 0. */
  readonly length?: number;
  readonly text: string;
  /**
   * True if a person has to decide, or to complete the text: editors offer the edit, and `tenon generate --fix` leaves
   * it out.
   */
  readonly choice?: true;
  /** Relative to the project, forward slashes; absent: the file of the diagnostic. */
  readonly file?: string;
}

/** Another position to which a diagnostic refers. */
export interface RelatedPlace {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/**
 * A finding about the author's code. Codes by stage: 1xx read, 2xx rules, 3xx types, 4xx configuration, 5xx
 * portability, 6xx texts that models read.
 */
export interface Diagnostic {
  /** For example `TN104`. */
  readonly code: string;
  /** A hint is a suggestion: editors show it as information. */
  readonly level: "error" | "warning" | "hint";
  /** Describes the problem in one sentence. */
  readonly message: string;
  /** Describes the fix, in words or as text to paste. */
  readonly fix?: string;
  /** Relative to the project, forward slashes; absent for findings about the project as a whole. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
  /** UTF-16 units to underline. */
  readonly length?: number;
  /** The source line that `line` names, for the frame. */
  readonly lineText?: string;
  /** Fixes the problem; written by `tenon generate --fix` and by editors. */
  readonly edit?: Edit;
  readonly related?: readonly RelatedPlace[];
}
