import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import type { OutputChunk } from "rolldown";
import { isOwnFile } from "../../plugin/packages/own-module.ts";
import { toChunkScript } from "./chunk-script.ts";

/** A file that was written for a chunk, or in its place. */
export interface WrittenFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly bytes: number;
}

/**
 * Compiles chunks of the runtime that were written, so that no start on the same version of Node needs to: each becomes a
 * script with V8's compiled code beside it, and an ES module under its old name that loads the two.
 */
export async function writeCodeCache(outdir: string, chunks: readonly OutputChunk[]): Promise<readonly WrittenFile[]> {
  const { parseSync } = await import("rolldown/utils");
  return chunks
    .filter((chunk) => isReady(chunk, chunks))
    .flatMap(({ fileName, code }) => {
      const parts = toChunkScript(code, parseSync(fileName, code).module);
      if (parts === undefined) return [];
      // The loader comes last: until then the chunk is whole.
      const contents = { js: parts.script, cache: compile(parts.script), mjs: parts.loader };
      return Object.entries(contents).map(([ending, content]) => {
        const file = fileName.replace(/mjs$/, ending);
        writeFileSync(join(outdir, file), content);
        return { file, bytes: Buffer.byteLength(content) };
      });
    });
}

/**
 * Whether a chunk and all that it imports without waiting are ours, which export nothing that changes later, and none
 * imports itself in a circle, so that what it imports is whole when it runs.
 */
function isReady(
  { fileName, moduleIds, imports }: OutputChunk,
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
 * V8's compiled form of every function in a script. Functions that are compiled when they are first called would be
 * missing without the flag, and they are most of what a start compiles.
 */
function compile(script: string): Buffer {
  let compiled: Script;
  setFlagsFromString("--no-lazy");
  try {
    compiled = new Script(script);
  } finally {
    // V8 takes a cache only where the flags are those that it was made with.
    setFlagsFromString("--lazy");
  }
  return compiled.createCachedData();
}
