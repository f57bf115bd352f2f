import { dirname } from "node:path/posix";
import type { ts } from "ts-morph";
import type { ConfigSource, Level } from "./compiler-config.ts";
import type { Lookups } from "./module-lookups.ts";

/**
 * All that a reading took from the file system. While every part of it is the same, reading again gives the same. Only one
 * thing is not in it: an augmentation (`declare global`, `declare module`) that is new in a file which the reading did not
 * touch before.
 */
export interface ReadingInputs {
  /** False: the reading depends on all files of the project as well. */
  readonly complete: boolean;
  /** Absolute paths of files that were read, with the text that was read where it is known. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Absolute paths that were looked for and not found before what was found; one that appears would win. */
  readonly missing: readonly string[];
  /** Absolute paths that led through a symbolic link, and where they led. */
  readonly links: ReadonlyMap<string, string>;
  /** Absolute folders whose ambient declarations counted: any `.d.ts` below, and the packages of `node_modules/@types`. */
  readonly ambient: readonly string[];
}

export interface InputsRequest {
  readonly root: string;
  /** The module itself, which is no input. */
  readonly path: string;
  /** Source files that the reading depends on. */
  readonly sources: readonly string[];
  /** Other files that it depends on. */
  readonly own: readonly string[];
  readonly program: ts.Program;
  /** Of the same program. */
  readonly augmenting: readonly string[];
  readonly config: ConfigSource;
  readonly level: Level;
  readonly lookups: (path: string) => Lookups | undefined;
}

/** The inputs of a reading. One that took all files of the project depends on more than can be told. */
export function readingInputs(request: InputsRequest): ReadingInputs {
  const { root, path, sources, own, program, augmenting, config, level, lookups } = request;
  const all = [...new Set([path, ...sources, ...augmenting])];
  const found = all.flatMap((file) => lookups(file) ?? []);
  const files = new Map<string, string | undefined>();
  const missing = new Set(config.missing);
  for (const file of all) if (file !== path) files.set(file, program.getSourceFile(file)?.text);
  for (const file of own) files.set(file, undefined);
  for (const { packages } of found) for (const file of packages) files.set(file, undefined);
  for (const file of all) {
    for (const one of lookups(file)?.missing ?? []) if (!isInsidePackage(file, one)) missing.add(one);
  }
  // The nearest package.json decides what kind of module a file is.
  for (const file of all)
    if (!file.includes("/node_modules/")) for (const one of packagesAbove(file, root)) missing.add(one);
  return {
    complete: level !== "whole",
    files,
    missing: [...missing],
    links: new Map(found.flatMap(({ links }) => [...links])),
    ambient: level === "full" ? [...new Set([root, ...config.files.slice(0, 1).map((file) => dirname(file))])] : [],
  };
}

/** The project's files that add to the types of other modules, or to what has no module. */
export function augmentingFiles(program: ts.Program): readonly string[] {
  return program
    .getSourceFiles()
    .filter((file) => !file.fileName.includes("/node_modules/") && isAugmenting(file))
    .map((file) => file.fileName);
}

function isAugmenting(file: ts.SourceFile): boolean {
  return (
    !("externalModuleIndicator" in file && file.externalModuleIndicator) ||
    /\bdeclare\s+(?:global|module)\b/.test(file.text)
  );
}

/** A package's own files come and go with its installation, which its package.json tells. */
function isInsidePackage(file: string, path: string): boolean {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(file) ?? [];
  return folder !== undefined && path.startsWith(folder) && !path.slice(folder.length).includes("node_modules/");
}

function packagesAbove(file: string, root: string): readonly string[] {
  const paths: string[] = [];
  for (let at = dirname(file); at.startsWith(root) && at !== root; at = dirname(at)) paths.push(`${at}/package.json`);
  return paths;
}
