import { resolve } from "node:path";
import { readText } from "../read/base/read-text.ts";
import type { GraphRequest, ImportedFile } from "../read/project/import-graph.ts";
import { createFileStates } from "./cache/file-states.ts";
import { openKeptResults } from "./cache/kept-result.ts";
import type { TenonOptions } from "./options.ts";

/** The TypeScript files that run with an entry, the entry first. While none changes, the compiler is not loaded for them. */
export async function reachedFiles(
  { entry, root }: Pick<GraphRequest, "entry" | "root">,
  options: TenonOptions,
): Promise<readonly ImportedFile[]> {
  const states = createFileStates(root);
  const results = openKeptResults<readonly string[]>("imports", root, options, states);
  const before = results.get(entry);
  if (before !== undefined && states.match(before.inputs))
    return before.value.flatMap((name) => read(states.path(name)));
  const { followImports } = await import("../read/project/import-graph.ts");
  const tsconfig = options.tsconfig && { tsconfig: resolve(root, options.tsconfig) };
  const { files, inputs } = followImports({ entry, root, ...tsconfig });
  const recorded = states.record(inputs);
  if (recorded !== undefined)
    results.set(entry, { value: files.map(({ file }) => states.name(file)), inputs: recorded });
  return files;
}

function read(file: string): readonly ImportedFile[] {
  const text = readText(file);
  return text === undefined ? [] : [{ file, text }];
}
