import { Project } from "ts-morph";

/** Where the compiler believes its library to be; the files exist in memory only. */
export const libFolder = "/node_modules/typescript/lib";

/** Reads the text of a library file that ts-morph carries, by full path; `undefined` for a name that it has not. */
export type LibReader = (path: string) => string | undefined;

/** A reader of ts-morph's own library files, so that nothing depends on which TypeScript a user has installed. */
export function createLibReader(): LibReader {
  const host = new Project({ useInMemoryFileSystem: true, compilerOptions: {} }).getModuleResolutionHost();
  return (path) => host.readFile?.(path);
}
