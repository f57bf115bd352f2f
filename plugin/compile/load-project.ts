// Imported as a namespace: with a named import that Node 20 lacks, this module would fail before `requireNode` can
// report the version.
import * as nodeModule from "node:module";
import { join, resolve } from "node:path";
import type { Progress } from "../read/base/slow-reading.ts";
import type { SourceProject } from "../read/open-project.ts";
import { cacheFolder } from "./cache/kept-result.ts";
import { patternsFile } from "./cache/pack.ts";
import type { compileModule as CompileModule } from "./compile-module.ts";
import type { TenonOptions } from "./options.ts";
import { keepYoungGeneration } from "./young-generation.ts";

/** A project that is open, and the function that compiles one of its files. */
export interface Loaded {
  readonly project: SourceProject;
  readonly compileModule: typeof CompileModule;
}

/**
 * Opens a project. Loading the compiler takes longer than compiling a few tools, so a build without tools does not load
 * it. Node's compile cache, which `tsc` and Vite also enable, halves the time.
 */
export async function loadProject(root: string, near: string, { tsconfig, ...options }: TenonOptions): Promise<Loaded> {
  nodeModule.enableCompileCache();
  keepYoungGeneration();
  const [{ openProject }, { showLargeTypes, showSlowReading }, { compileModule }, { openPatternVerdicts }] =
    await Promise.all([
      import("../read/open-project.ts"),
      import("../read/base/slow-reading.ts"),
      import("./compile-module.ts"),
      import("./cache/pattern-verdicts.ts"),
    ]);
  const own = tsconfig === undefined ? {} : { tsconfig: resolve(root, tsconfig) };
  const file = options.cache === false ? undefined : join(root, cacheFolder, patternsFile);
  const tell = (line: string): void => void process.stderr.write(`tenon: ${line}\n`);
  const patterns = openPatternVerdicts(file, tell);
  const shown = [showLargeTypes(tell), ...(process.stderr.isTTY ? [showSlowReading(tell)] : [])];
  const progress: Progress = (...reached) => shown.forEach((show) => show(...reached));
  return { project: openProject({ ...options, progress, root, near, patterns, ...own }), compileModule };
}
