import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compileProject, type Diagnostic } from "../../plugin/index.ts";
import type { Project } from "./project.ts";

/** A text that was written into a source file. */
export interface WrittenFix {
  /** Relative to the project. */
  readonly file: string;
  /** Line of the finding before any change. */
  readonly line: number;
  readonly code: string;
  /** The inserted text, trimmed. */
  readonly text: string;
}

type Mendable = Diagnostic & Required<Pick<Diagnostic, "file" | "edit">>;

/**
 * Maximum number of rounds: a fix may reveal further findings, for example about the fields of a model that was refused
 * as a whole.
 */
const mostRounds = 5;

/**
 * Writes unambiguous fixes for the findings about an entry's tools: missing schema markers, misspelt tags, a missing
 * `export`. Missing texts are left to the author. Repeats until there is nothing left to fix.
 */
export async function fixSources({ root, entry }: Project): Promise<readonly WrittenFix[]> {
  const written: WrittenFix[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const { diagnostics } = await compileProject({ root, entry });
    const mendable = distinct(diagnostics.filter(isMendable));
    if (mendable.length === 0) break;
    for (const file of new Set(mendable.map((one) => one.file))) {
      const path = resolve(root, file);
      const edits = mendable.filter((one) => one.file === file);
      writeFileSync(path, withEdits(readFileSync(path, "utf8"), edits));
    }
    for (const { file, line = 1, code, edit } of mendable) written.push({ file, line, code, text: edit.text.trim() });
  }
  return written;
}

function isMendable(diagnostic: Diagnostic): diagnostic is Mendable {
  const { edit, file } = diagnostic;
  return edit !== undefined && edit.choice !== true && file !== undefined;
}

/** Removes duplicates, since tools that share a model have the same findings about it. */
function distinct(found: readonly Mendable[]): readonly Mendable[] {
  const seen = new Map(found.map((one) => [`${one.file}:${one.edit.offset}:${one.edit.text}`, one]));
  return [...seen.values()];
}

/** Applies edits to a source. Texts at one offset are inserted in the order of their findings. */
function withEdits(source: string, found: readonly Mendable[]): string {
  const edits = found.map(({ edit }) => edit).toSorted((a, b) => a.offset - b.offset);
  let text = "";
  let end = 0;
  for (const edit of edits) {
    if (edit.offset < end) continue;
    text += source.slice(end, edit.offset) + edit.text;
    end = edit.offset + (edit.length ?? 0);
  }
  return text + source.slice(end);
}
