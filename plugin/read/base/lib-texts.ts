import { readFileSync } from "node:fs";
import { besideTsMorph } from "./beside-ts-morph.ts";

/** Folder of the compiler's library in memory; the files do not exist on disk. */
export const libFolder = "/node_modules/typescript/lib";

/** Reads the text of a library file of ts-morph, by full path; `undefined` for an unknown name. */
export type LibReader = (path: string) => string | undefined;

/** Texts by file name. */
export type LibTexts = Readonly<Record<string, string>>;

/**
 * File beside the built plugin with texts of the compiler's library: those of the language itself, without DOM and the
 * like, which are enough for most builds.
 */
export const nearLibsFile = "libs.json";

/** Creates a reader of ts-morph's own library files, so that the user's TypeScript version does not matter. */
export function createLibReader(): LibReader {
  const near = readNearLibs();
  let all: LibTexts | undefined;
  return (path) => {
    const name = path.slice(libFolder.length + 1);
    return near[name] ?? (all ??= carriedLibs())[name];
  };
}

/** All library texts of ts-morph: 3 MB in the code of one of its files. */
export function carriedLibs(): LibTexts {
  const { getLibFiles } = besideTsMorph()("@ts-morph/common") as CarriedLibs;
  return Object.fromEntries(getLibFiles().map(({ fileName, text }) => [fileName, text]));
}

interface CarriedLibs {
  getLibFiles(): readonly { readonly fileName: string; readonly text: string }[];
}

/** Reads the library texts beside the built plugin. The file is missing when the plugin runs from its sources. */
function readNearLibs(): LibTexts {
  try {
    return JSON.parse(readFileSync(new URL(nearLibsFile, import.meta.url), "utf8")) as LibTexts;
  } catch {
    return {};
  }
}
