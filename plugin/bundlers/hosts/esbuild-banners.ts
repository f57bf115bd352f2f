import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BuildResult, Metafile, PluginBuild } from "esbuild";
import { escapeRegex } from "../../model/escape-regex.ts";
import { isOwnFile } from "../../packages/own-module.ts";

/**
 * Removes tenon's banner from the outputs of entries without tools, since esbuild has one banner for all outputs. Line
 * numbers do not change, because source maps count lines.
 */
export function dropForeignBanners(native: PluginBuild, banner: string, loaded: ReadonlySet<string>): void {
  const { initialOptions: options } = native;
  const { absWorkingDir = process.cwd() } = options;
  options.metafile = true;
  const line = new RegExp(`${escapeRegex(banner)}\n\n?`);
  const hasMap = options.sourcemap !== undefined && options.sourcemap !== false;
  const without = (text: string): string =>
    text.replace(line, (found) => (hasMap ? found.replaceAll(/[^\n]+/g, "") : ""));
  native.onEnd(({ metafile, outputFiles = [] }: BuildResult) => {
    if (metafile === undefined) return;
    const isOurs = (input: string): boolean => loaded.has(input) || isOwnFile(input);
    const kept = outputsWith(metafile, (input) => isOurs(resolve(absWorkingDir, input)));
    for (const path of Object.keys(metafile.outputs).filter((one) => /\.[cm]?js$/.test(one) && !kept.has(one))) {
      const file = resolve(absWorkingDir, path);
      const inMemory = outputFiles.find((one) => one.path === file);
      if (inMemory !== undefined) inMemory.contents = Buffer.from(without(inMemory.text));
      if (options.write !== false) writeFileSync(file, without(readFileSync(file, "utf8")));
    }
  });
}

/** Returns the outputs that run together with an entry from which such an input can be reached. */
function outputsWith({ outputs }: Metafile, isWanted: (input: string) => boolean): ReadonlySet<string> {
  const reached = (from: string): ReadonlySet<string> => {
    const found = new Set([from]);
    for (const path of found) for (const one of outputs[path]?.imports ?? []) if (!one.external) found.add(one.path);
    return found;
  };
  const hasWanted = (path: string): boolean => Object.keys(outputs[path]?.inputs ?? {}).some(isWanted);
  const all = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint !== undefined);
  return new Set(all.map(reached).flatMap((paths) => ([...paths].some(hasWanted) ? [...paths] : [])));
}
