import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { OutputChunk } from "rolldown";
import { isOwnFile } from "../../plugin/packages/own-module.ts";
import { CommandError } from "../base/usage.ts";
import { checksumOf, toChunkScript } from "./chunk-script.ts";

/** A file that was written for a chunk, or replaces it. */
export interface WrittenFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly bytes: number;
}

/**
 * Compiles the written chunks of the runtime, so that no start on the same version of Node has to. Each becomes a
 * script with V8's compiled code beside it, and an ES module under its old name that loads the two.
 */
export async function writeCodeCache(outdir: string, chunks: readonly OutputChunk[]): Promise<readonly WrittenFile[]> {
  const { parseSync } = await import("rolldown/utils");
  const scripts = chunks.flatMap(({ fileName, code, moduleIds, imports }) => {
    if (!isReady({ fileName, moduleIds, imports }, chunks)) return [];
    const parts = toChunkScript(code, parseSync(fileName, code).module);
    return parts === undefined ? [] : [{ ...parts, name: fileName.replace(/\.mjs$/, "") }];
  });
  for (const { name, script } of scripts) writeFileSync(join(outdir, `${name}.js`), script);
  await compile(scripts.map(({ name }) => join(outdir, `${name}.js`)));
  return scripts.flatMap(({ name, script, loader }) => {
    const compiled = readFileSync(join(outdir, `${name}.cache`));
    const text = loader(checksumOf(Buffer.from(script), compiled));
    // The loader is written last: until then the chunk is complete.
    writeFileSync(join(outdir, `${name}.mjs`), text);
    return Object.entries({ js: script, cache: compiled, mjs: text }).map(([ending, content]) => ({
      file: `${name}.${ending}`,
      bytes: Buffer.byteLength(content),
    }));
  });
}

/**
 * True for a chunk that can become a script. It and all its static imports are ours, their exports never change later,
 * and none imports itself in a circle, so that all imports have run before it.
 */
function isReady(
  { fileName, moduleIds, imports }: Pick<OutputChunk, "fileName" | "moduleIds" | "imports">,
  chunks: readonly OutputChunk[],
  above: readonly string[] = [],
): boolean {
  if (above.includes(fileName) || !moduleIds.every(isOwnFile)) return false;
  return imports.every((name) => {
    const found = chunks.find((chunk) => chunk.fileName === name);
    return name.startsWith("node:") || (found !== undefined && isReady(found, chunks, [...above, fileName]));
  });
}

/**
 * Writes V8's compiled code of scripts. The code contains hashes of names, whose seeds V8 draws anew in each process.
 * With fixed seeds, which need a process of its own, two builds of the same sources write the same bytes.
 */
async function compile(files: readonly string[]): Promise<void> {
  // A `.js` in the built package, a `.ts` in the sources.
  const compiler = fileURLToPath(import.meta.url).replace(/[^\\/]+\.(js|ts)$/, "compile-scripts.$1");
  try {
    await promisify(execFile)(process.execPath, ["--hash-seed=1", "--random-seed=1", compiler, ...files]);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(
      `The runtime's code could not be compiled ahead; \`--no-code-cache\` builds without.\n\n${message}`,
    );
  }
}
