import type { ModuleModel } from "../model/module.ts";
import { namePrefix } from "./js-text.ts";
import { importAlias } from "./scope.ts";
import type { RuntimeName } from "./runtime-names.ts";

/** The part of an emitted tool that is inserted into the module. */
interface InsertedTool {
  readonly code: string;
  readonly imports: readonly RuntimeName[];
}

/** Text to insert before the character at an offset of the author's module. */
export interface Insertion {
  /** UTF-16 units from the start of the source. */
  readonly offset: number;
  /** One line of complete statements. */
  readonly text: string;
}

/**
 * Computes the insertions of the generated calls into a module. They have no line breaks, so no line of the author's
 * code moves. `emitted` holds the tools of `module` in the same order. The import is inserted with the first call: an
 * import is hoisted from anywhere.
 */
export function insertTools(
  source: string,
  module: ModuleModel,
  emitted: readonly InsertedTool[],
): readonly Insertion[] {
  const tools = module.tools.flatMap((tool, index) => {
    const result = emitted[index];
    return result === undefined ? [] : [{ offset: tool.insertion.offset, code: result.code }];
  });
  const first = tools.toSorted((one, other) => one.offset - other.offset)[0];
  if (first === undefined) return [];
  const names = [...new Set(emitted.flatMap((tool) => tool.imports))].toSorted();
  const imported = `import{${names.map((name) => `${name} as ${importAlias(name)}`).join()}}from"tenon/internal";`;
  const rename = prefixRenamer(source);
  // The leading semicolon ends a statement that the author left open; the call would otherwise continue it.
  return tools.map((tool) => ({
    offset: tool.offset,
    text: `;${rename(tool === first ? imported : "")}${rename(tool.code)};`,
  }));
}

/** Gives generated names a prefix that nothing else in the module contains. */
function prefixRenamer(source: string): (text: string) => string {
  let prefix = namePrefix;
  for (let number = 2; source.includes(prefix); number++) prefix = `${namePrefix}${number}`;
  // String and pattern literals never contain the prefix, so only names change.
  return prefix === namePrefix ? (text) => text : (text) => text.replaceAll(namePrefix, prefix);
}
