import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type SymbolInformation, SymbolKind } from "vscode-languageserver/node";
import type { Checked } from "./project-checks.ts";
import { rangeOf } from "./published.ts";

const symbolKinds = { tool: SymbolKind.Function, prompt: SymbolKind.String, resource: SymbolKind.File } as const;

/**
 * Tools, prompts and resources by the names that callers know, of one file or of the whole project.
 * @param query Letters that the name must contain in this order, in any case; empty for all.
 */
export function toolSymbols({ root, tools }: Checked, query: string, file?: string): SymbolInformation[] {
  const letters = [...query.toLowerCase()];
  return tools
    .map(({ model }) => model)
    .filter(({ name, position }) => (file === undefined || position.file === file) && hasInOrder(name, letters))
    .map(({ name, kind = "tool" as const, position }) => ({
      name,
      kind: symbolKinds[kind],
      containerName: kind,
      location: { uri: pathToFileURL(resolve(root, position.file)).href, range: rangeOf(position) },
    }));
}

function hasInOrder(name: string, letters: readonly string[]): boolean {
  const text = name.toLowerCase();
  let at = -1;
  return letters.every((letter) => (at = text.indexOf(letter, at + 1)) >= 0);
}
