import { namePrefix } from "./text/js-text.ts";
import { importAlias } from "./text/scope.ts";
import type { RuntimeName } from "./text/runtime-names.ts";

/** A generated statement with the names that it imports. */
export interface InsertedStatement {
  readonly offset: number;
  readonly code: string;
  readonly imports: readonly RuntimeName[];
}

/** Text to insert before the character at an offset of the author's module. */
export interface Insertion {
  /** Offset in UTF-16 units from the start of the source. */
  readonly offset: number;
  /** One line of complete statements. */
  readonly text: string;
}

/**
 * Computes the insertions of generated statements into a module, and of arguments into the author's calls. They contain
 * no line breaks, so that line numbers of the author's code do not change. The import is inserted with the first
 * statement, since imports are hoisted from anywhere.
 */
export function insertStatements(
  source: string,
  statements: readonly InsertedStatement[],
  args: readonly Insertion[] = [],
): readonly Insertion[] {
  const first = statements.toSorted((one, other) => one.offset - other.offset)[0];
  if (first === undefined) return [];
  const names = [...new Set(statements.flatMap((one) => one.imports))].toSorted();
  const list = names.map((name) => `${name} as ${importAlias(name)}`).join();
  const imported = names.length === 0 ? "" : `import{${list}}from"tenon/internal";`;
  const rename = prefixRenamer(source);
  // The leading semicolon ends a statement of the author that has none; otherwise the inserted call could continue that
  // statement.
  const inserted = statements.map((one) => ({
    offset: one.offset,
    text: `;${rename(one === first ? imported : "")}${rename(one.code)};`,
  }));
  return [...inserted, ...args.map(({ offset, text }) => ({ offset, text: rename(text) }))];
}

/** Gives generated names a prefix that nothing else in the module contains. */
function prefixRenamer(source: string): (text: string) => string {
  let prefix = namePrefix;
  for (let number = 2; source.includes(prefix); number++) prefix = `${namePrefix}${number}`;
  // The prefix is replaced in the whole text: literals never contain it, so only names change.
  return prefix === namePrefix ? (text) => text : (text) => text.replaceAll(namePrefix, prefix);
}
