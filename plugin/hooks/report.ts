import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { gatherByFile } from "../diagnostics/gather.ts";
import { formatDiagnostic, formatReport } from "../diagnostics/format.ts";

/**
 * A failed build. Its message is the whole report, its position that of the first error. It has no stack, because the
 * mistake is in the author's code.
 */
export class BuildError extends Error {
  override readonly name = "TenonError";
  readonly id?: string;
  readonly loc?: LocatedPlace;

  constructor(diagnostics: readonly Diagnostic[]) {
    super(reportText(diagnostics));
    const first = diagnostics.find(({ level }) => level === "error");
    const { id, loc }: Partial<LocatedLog> = first === undefined ? {} : toLog(first);
    if (id !== undefined) this.id = id;
    if (loc !== undefined) this.loc = loc;
    this.stack = "";
  }
}

/** Formats diagnostics as text without colours. */
export function reportText(diagnostics: readonly Diagnostic[]): string {
  return formatReport(diagnostics).trimEnd();
}

/** A position in the form of Rollup's plugins; columns count from 0. */
export interface LocatedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A text and its position, in the form of Rollup's plugins. */
export interface LocatedLog {
  readonly message: string;
  readonly id?: string;
  readonly loc?: LocatedPlace;
  readonly frame?: string;
}

/**
 * Converts a diagnostic into a log of Rollup's plugins. The text repeats the position, for bundlers that print only the
 * text.
 */
export function toLog(diagnostic: Diagnostic): LocatedLog {
  const { file, line, column = 1 } = diagnostic;
  const message = formatDiagnostic(diagnostic);
  if (file === undefined || line === undefined) return { message };
  return { message, id: file, loc: { file, line, column: column - 1 } };
}

/**
 * Reports problems immediately in a dev server, where builds have no end: an error fails the module, and the overlay
 * shows it.
 */
export function failInDev(
  context: { error(log: LocatedLog): void; warn(log: LocatedLog): void },
  diagnostics: readonly Diagnostic[],
  id: string,
): void {
  const errors = diagnostics.filter(({ level }) => level === "error");
  const [first] = errors;
  if (first !== undefined) {
    const { line = 1, column = 1 } = first;
    // The frame is empty, since the report already contains frames: this keeps Vite from adding another.
    context.error({ message: reportText(errors), id, loc: { file: id, line, column: column - 1 }, frame: "" });
  }
  for (const one of gatherByFile(diagnostics)) context.warn({ ...toLog(one), id });
}
