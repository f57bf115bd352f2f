import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BuildOptions, BuildResult, PluginBuild } from "esbuild";
import { stdoutGuardBanner } from "../../runtime/stdout-guard.ts";
import type { Build } from "../build.ts";
import { isModuleForNode } from "./esbuild-defaults.ts";

const [byFlags, always] = [stdoutGuardBanner("flags"), stdoutGuardBanner("always")].map((text) => text.trim());

/**
 * Guards standard output from the first line on where a module behind the entry calls `runMcpStdio`: esbuild takes its
 * banner before it has read that module, so the guard in the outputs is changed in the end. It stays on its line.
 */
export function guardStdio(native: PluginBuild, build: Build): void {
  const options = native.initialOptions;
  if (!isModuleForNode(options) || options.banner?.["js"]?.includes(byFlags ?? "") !== true) return;
  options.metafile = true;
  native.onEnd((result) => {
    if (!build.servesStdio()) return;
    for (const file of result.outputFiles ?? []) {
      const text = guarded(file.text);
      if (text !== undefined) file.contents = Buffer.from(text);
    }
    if (options.write !== false) for (const file of outputsOf(result, options)) guardFile(file);
  });
}

function outputsOf({ metafile }: BuildResult, { absWorkingDir = process.cwd() }: BuildOptions): readonly string[] {
  return Object.keys(metafile?.outputs ?? {})
    .filter((name) => /\.[cm]?js$/.test(name))
    .map((name) => resolve(absWorkingDir, name));
}

function guardFile(file: string): void {
  const text = guarded(readFileSync(file, "utf8"));
  if (text !== undefined) writeFileSync(file, text);
}

function guarded(text: string): string | undefined {
  if (byFlags === undefined || always === undefined || !text.includes(byFlags)) return undefined;
  return text.replace(byFlags, () => always);
}
