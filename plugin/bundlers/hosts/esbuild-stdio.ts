import { keyExpression, stdioKey } from "../../../runtime/contract/process-keys.ts";
import * as fs from "node:fs"; // Imported as a namespace, since Node 20 lacks `globSync`: see compile.ts.
import { dirname, join, resolve } from "node:path";
import type { BuildOptions, PluginBuild } from "esbuild";
import { stdoutGuardBanner } from "../../../runtime/base/process/stdout-guard.ts";
import type { Build } from "../../compile/build.ts";
import { isModuleForNode } from "./esbuild-defaults.ts";

const [byFlags, always] = [stdoutGuardBanner("flags"), stdoutGuardBanner("always")].map((text) => text.trim());

/** Statement in a module that serves on standard output, by which the outputs of its bundle are found. */
export const stdioMark: string = `;globalThis[${keyExpression(stdioKey)}]=true;`;

/**
 * Guards standard output from the first line on when a module that the entry imports calls `runMcpStdio`. esbuild needs
 * its banner before it reads that module, so the guard is added to the outputs at the end of the build. It is written
 * into an existing line.
 */
export function guardStdio(native: PluginBuild, build: Build): void {
  const options = native.initialOptions;
  if (!isModuleForNode(options) || options.banner?.["js"]?.includes(byFlags ?? "") !== true) return;
  native.onEnd((result) => {
    if (!build.servesStdio()) return;
    for (const file of result.outputFiles ?? []) {
      const text = guarded(file.text);
      if (text !== undefined) file.contents = Buffer.from(text);
    }
    if (options.write === false) return;
    for (const [file, text] of bundleOnDisk(options)) {
      const changed = guarded(text);
      if (changed !== undefined) fs.writeFileSync(file, changed);
    }
  });
}

/**
 * Finds the outputs on disk that are connected by imports with the output that contains the mark. esbuild lists outputs
 * only in a metafile, which is the most expensive part of a large build. Outputs of other builds in the same folder are
 * not included.
 */
function bundleOnDisk({ outdir, outfile, absWorkingDir = process.cwd() }: BuildOptions): ReadonlyMap<string, string> {
  const folder = resolve(absWorkingDir, outdir ?? ".");
  const names = fs.globSync("**/*.{js,mjs,cjs}", { cwd: folder, exclude: (name) => name === "node_modules" });
  const paths = outfile === undefined ? names.map((name) => join(folder, name)) : [resolve(absWorkingDir, outfile)];
  const texts = new Map(paths.map((path) => [path, fs.readFileSync(path, "utf8")]));
  const neighbours = new Map(paths.map((path) => [path, new Set<string>()]));
  for (const [path, text] of texts) {
    for (const [, specifier = ""] of text.matchAll(/["'](\.{1,2}\/[^"'\n]+)["']/g)) {
      const other = join(dirname(path), specifier);
      neighbours.get(path)?.add(other);
      neighbours.get(other)?.add(path);
    }
  }
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const text = texts.get(path);
    if (text === undefined || found.has(path)) return;
    found.set(path, text);
    neighbours.get(path)?.forEach(visit);
  };
  for (const [path, text] of texts) if (text.includes(stdioKey.description ?? "")) visit(path);
  return found;
}

function guarded(text: string): string | undefined {
  if (byFlags === undefined || always === undefined || !text.includes(byFlags)) return undefined;
  return text.replace(byFlags, () => always);
}
