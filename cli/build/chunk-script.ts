import { crc32 } from "node:zlib";
import type { ParseResult } from "rolldown/utils";

/** A chunk as two files: V8 accepts compiled code from a file only for a script, not for an ES module. */
export interface ChunkScript {
  /**
   * A script whose value is a function. Its lines and columns are those of the chunk, so that the source map stays
   * valid.
   */
  readonly script: string;
  /**
   * The ES module that replaces the chunk. It runs `NAME.js`, with the compiled code of `NAME.cache` if both match the
   * checksum and V8 accepts it.
   */
  readonly loader: (checksum: number) => string;
}

type ModuleRecord = ParseResult["module"];

// Placeholder as long as `import.meta`, so that columns do not change.
const meta = "$importMeta";

/**
 * Splits an ES module. The values of its exports must not change after it has run. Undefined for forms of export that
 * the bundler does not use in chunks.
 */
export function toChunkScript(code: string, module: ModuleRecord): ChunkScript | undefined {
  const { staticImports, staticExports, dynamicImports, importMetas } = module;
  const textAt = ({ start, end }: Place): string => code.slice(start, end);
  const [ending, ...others] = staticExports;
  if (ending === undefined || others.length > 0 || !/^export\s*\{/.test(textAt(ending))) return undefined;
  // Dynamic imports must not depend on variables of the script.
  if (dynamicImports.some(({ moduleRequest }) => !/^(["'`])[^"'`$]*\1$/.test(textAt(moduleRequest)))) return undefined;
  if (code.includes("$import")) return undefined;
  const names: string[] = [];
  const members: string[] = [];
  for (const { moduleRequest, localName, exportName } of ending.entries) {
    const { name } = exportName;
    if (moduleRequest !== null || localName.name === null || name === null || name === "default") return undefined;
    names.push(name);
    members.push(name === localName.name ? name : `${name}:${localName.name}`);
  }
  const imported = staticImports.flatMap(({ entries }) => entries.map(({ localName }) => localName.value));
  if (names.some((name) => imported.includes(name))) return undefined;
  const head = `(function(${[meta, "$imports", ...imported].join()}){"use strict";`;
  const body = replaced(code, [
    ...staticImports.map((place) => ({ place, by: "" })),
    ...importMetas.map((place) => ({ place, by: meta })),
    ...dynamicImports.map((place, index) => ({ place, by: `$imports[${index}]()` })),
    { place: ending, by: `return{${members.join()}}` },
  ]);
  // ASCII can be read as Latin-1, which needs no decoding.
  const encoding = /^\p{ASCII}*$/u.test(code) ? "latin1" : "utf8";
  const place = ["import.meta.filename", "process.getBuiltinModule", `"${encoding}"`, -head.length];
  const given = ["import.meta", `[${dynamicImports.map((place) => `()=>${textAt(place)}`).join()}]`, ...imported];
  return {
    script: `${head}${body.replace(/\n*(?=\n\/\/# sourceMappingURL=|$)/, "\n})")}`,
    loader: (checksum) =>
      [
        ...staticImports.map(textAt),
        `export const {${names.join()}}=(${evaluate.toString()})(${[...place, checksum].join()})(${given.join()});\n`,
      ].join("\n"),
  };
}

/** Checksum of a script together with its compiled code. */
export function checksumOf(script: Uint8Array, compiled: Uint8Array): number {
  return crc32(compiled, crc32(script));
}

/**
 * This function is part of the loader as text. V8 compiles the script as usual if there is no compiled code, or if it
 * is for another version of Node. The loader also ignores the compiled code when one of the two files was changed: V8
 * would not notice that, and would run outdated code.
 */
function evaluate(
  file: string,
  builtin: typeof process.getBuiltinModule,
  encoding: BufferEncoding,
  columnOffset: number,
  checksum: number,
): (...given: readonly unknown[]) => object {
  const { readFileSync } = builtin("node:fs");
  const filename = file.replace(/mjs$/, "js");
  const source = readFileSync(filename);
  let cachedData;
  try {
    cachedData = readFileSync(file.replace(/mjs$/, "cache"));
  } catch {}
  const { crc32 } = builtin("node:zlib");
  if (cachedData !== undefined && crc32(cachedData, crc32(source)) !== checksum) {
    cachedData = undefined;
    process.emitWarning(`${filename} or its .cache was changed after the build, so its compiled code is not used.`);
  }
  const { Script } = builtin("node:vm");
  return new Script(source.toString(encoding), { filename, columnOffset, cachedData }).runInThisContext();
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Replaces texts by shorter ones; spaces keep the following columns, and line breaks stay. */
function replaced(code: string, edits: readonly { readonly place: Place; readonly by: string }[]): string {
  let text = "";
  let done = 0;
  for (const { place, by } of edits.toSorted((one, other) => one.place.start - other.place.start)) {
    const filling = code.slice(place.start + by.length, place.end).replace(/[^\n]/g, " ");
    const endsLine = place.end === code.length || code[place.end] === "\n";
    text += code.slice(done, place.start) + by + filling.replace(endsLine ? / +(?=\n|$)/g : / +(?=\n)/g, "");
    done = place.end;
  }
  return text + code.slice(done);
}
