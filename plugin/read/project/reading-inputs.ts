import { dirname } from "node:path/posix";
import type { ts } from "ts-morph";
import type { ConfigSource, Level } from "./compiler-config.ts";
import type { Lookups } from "./module-lookups.ts";

/**
 * All inputs of a reading from the file system. As long as they are unchanged, reading again gives the same result. One
 * input is not included: a new augmentation (`declare global`, `declare module`) in a file that the reading did not
 * use.
 */
export interface ReadingInputs {
  /** False if the reading also depends on all files of the project. */
  readonly complete: boolean;
  /** Absolute paths of files that were read, with their text if known. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Absolute paths that were searched and did not exist. A file that is created there would take precedence. */
  readonly missing: readonly string[];
  /** Absolute paths that contain a symbolic link, and their targets. */
  readonly links: ReadonlyMap<string, string>;
  /** Absolute folders of ambient declarations: any `.d.ts` below them, and the packages of `node_modules/@types`. */
  readonly ambient: readonly string[];
}

export interface InputsRequest {
  readonly root: string;
  /** Path of the module itself, which is not among the inputs. */
  readonly path: string;
  /** Source files that the reading depends on. */
  readonly sources: readonly string[];
  /** Other files that the reading depends on. */
  readonly own: readonly string[];
  readonly program: ts.Program;
  /** Augmenting files of the same program. */
  readonly augmenting: readonly string[];
  readonly config: ConfigSource;
  readonly level: Level;
  readonly lookups: (path: string) => Lookups | undefined;
}

/** Collects the inputs of a reading. If the reading used all files of the project, its inputs cannot be listed. */
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
  // package.json files are included, since the nearest one decides the kind of a module.
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

/** The project's files that augment other modules or the global scope. */
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

/** True for a file inside of a package, whose files change only with an installation, which changes package.json. */
function isInsidePackage(file: string, path: string): boolean {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(file) ?? [];
  return folder !== undefined && path.startsWith(folder) && !path.slice(folder.length).includes("node_modules/");
}

/** Lists the paths between a file's folder and the root where a new package.json would be the nearest to the file. */
export function packagesAbove(file: string, root: string): readonly string[] {
  const paths: string[] = [];
  for (let at = dirname(file); at.startsWith(root) && at !== root; at = dirname(at)) paths.push(`${at}/package.json`);
  return paths;
}
