import { readFileSync } from "node:fs";
import { besideTsMorph } from "./beside-ts-morph.ts";

/** Where the compiler believes its library to be; the files exist in memory only. */
export const libFolder = "/node_modules/typescript/lib";

/** Reads the text of a library file that ts-morph carries, by full path; `undefined` for a name that it has not. */
export type LibReader = (path: string) => string | undefined;

/** Texts by names of files. */
export type LibTexts = Readonly<Record<string, string>>;

/** The texts beside the built plugin: those of the language, without platforms, which most builds do without. */
export const nearLibsFile = "libs.json";

/** A reader of ts-morph's own library files, so that nothing depends on which TypeScript a user has installed. */
export function createLibReader(): LibReader {
  const near = readNearLibs();
  let all: LibTexts | undefined;
  return (path) => {
    const name = path.slice(libFolder.length + 1);
    return near[name] ?? (all ??= carriedLibs())[name];
  };
}

/** All that ts-morph carries: 3 MB of texts in the code of one of its files. */
export function carriedLibs(): LibTexts {
  const { getLibFiles } = besideTsMorph()("@ts-morph/common") as CarriedLibs;
  return Object.fromEntries(getLibFiles().map(({ fileName, text }) => [fileName, text]));
}

interface CarriedLibs {
  getLibFiles(): readonly { readonly fileName: string; readonly text: string }[];
}

/** None in the sources. */
function readNearLibs(): LibTexts {
  try {
    return JSON.parse(readFileSync(new URL(nearLibsFile, import.meta.url), "utf8")) as LibTexts;
  } catch {
    return {};
  }
}
