import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { OutputChunk } from "rolldown";
import { isOwnFile } from "../../plugin/packages/own-module.ts";
import { CommandError } from "../base/usage.ts";
import { checksumOf, toChunkScript } from "./chunk-script.ts";

/** A file that was written for a chunk, or that replaces the chunk. */
export interface WrittenFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly bytes: number;
}

/**
 * Compiles the written chunks of the runtime, so that starts on the same version of Node need not compile them. Each
 * becomes a script with V8's compiled code beside it, and an ES module under its old name that loads the two.
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
    // The loader is written last: until then, the original chunk stays in place.
    writeFileSync(join(outdir, `${name}.mjs`), text);
    return Object.entries({ js: script, cache: compiled, mjs: text }).map(([ending, content]) => ({
      file: `${name}.${ending}`,
      bytes: Buffer.byteLength(content),
    }));
  });
}

/**
 * True for a chunk that can become a script: the chunk and all its static imports are tenon's own, their exports never
 * change later, and there are no circular imports, so that all imports have run before the chunk.
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
 * Writes V8's compiled code of scripts. The code contains hashes of names, for which V8 chooses a random seed in each
 * process. With a fixed seed, which requires a separate process, two builds of the same sources write the same bytes.
 */
async function compile(files: readonly string[]): Promise<void> {
  // The path of this file ends with `.js` in the built package and with `.ts` in the sources.
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
