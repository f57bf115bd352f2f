import { relative, resolve } from "node:path";
import type { Variable, Variables } from "../model/service.ts";
import { isOwnFile } from "../packages/own-module.ts";
import { withConfig } from "./config.ts";

/**
 * The environment variables that the sources of a service read: all TypeScript files that its entry imports directly or
 * indirectly, without tenon's own.
 *
 * @param root Absolute folder of the project.
 * @param entry Absolute path of the entry.
 */
export async function serviceVariables(root: string, entry: string): Promise<Variables> {
  const [{ followImports }, { findVariables }] = await Promise.all([
    import("../read/project/import-graph.ts"),
    import("../read/project/find-variables.ts"),
  ]);
  const { tsconfig } = withConfig(root, {});
  const own = tsconfig === undefined ? {} : { tsconfig: resolve(root, tsconfig) };
  const { files } = followImports({ entry, root, ...own });
  const named = new Map<string, Variable>();
  const unnamed: string[] = [];
  for (const { file, text } of files.filter((one) => !isOwnFile(one.file))) {
    const found = findVariables(file, text);
    for (const one of found.named) named.set(one.name, joined(one, named.get(one.name)));
    unnamed.push(...found.unnamed.map((line) => `${relative(root, file)}:${line}`));
  }
  return { named: [...named.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), unnamed };
}

/** Combines what two places in the code reveal about one variable. */
function joined(one: Variable, other: Variable | undefined): Variable {
  if (other === undefined) return one;
  return {
    ...one,
    ...other,
    kind: other.kind === "text" ? one.kind : other.kind,
    isRequired: one.isRequired || other.isRequired,
  };
}
