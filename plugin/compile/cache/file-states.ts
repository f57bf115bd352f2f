import { existsSync, readFileSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ReadingInputs } from "../../read/project/reading-inputs.ts";
import { isOwnFile } from "../../packages/own-module.ts";
import { contentHash } from "./content-hash.ts";

/** Inputs in the form of a cache entry: paths relative to the project, contents as hashes. */
export interface RecordedInputs {
  readonly files: { readonly [file: string]: string };
  readonly missing: readonly string[];
  readonly links: { readonly [path: string]: string };
  readonly ambient: { readonly [folder: string]: string };
}

/**
 * Reader of the state of files and folders, cached in memory. A cached result of a build is reused only if every file
 * and folder on which it depends is unchanged. Each file and folder is read once, until something may have changed.
 */
export interface FileStates {
  /** Path relative to the project, the same on every system. */
  name(file: string): string;
  /** The absolute path for such a relative path. */
  path(name: string): string;
  /** True when no recorded input has changed. */
  match(recorded: RecordedInputs): boolean;
  /** The inputs in a form that can be stored; undefined when one of them no longer exists. */
  record(inputs: ReadingInputs): RecordedInputs | undefined;
  /** Forgets everything that was read. */
  refresh(): void;
}

/** Creates the reader for the project in a folder. */
export function createFileStates(root: string): FileStates {
  const hashes = new Map<string, { readonly text: string; readonly hash: string }>();
  const { get: name } = createMemory((path) => relative(root, path).replaceAll("\\", "/"));
  const { get: pathOf } = createMemory((one) => resolve(root, one));
  // Cached by relative path, as in cache entries, since most of these files are read for every entry.
  const contents = createMemory((one) => hashOfFile(pathOf(one)));
  const presence = createMemory((one) => existsSync(pathOf(one)));
  const targets = createMemory((one) => nameOrNone(name, pathOf(one)));
  const ambients = createMemory((one) => hashOfAmbient(pathOf(one)));
  const hashOf = (path: string, text: string): string => {
    const known = hashes.get(path);
    if (known?.text === text) return known.hash;
    const hash = contentHash(text);
    hashes.set(path, { text, hash });
    return hash;
  };
  /** Finds the topmost folder of a path that does not exist. */
  const missingOf = (path: string): string | undefined => {
    if (presence.get(name(path))) return undefined;
    const parent = dirname(path);
    return parent === path || presence.get(name(parent)) ? name(path) : missingOf(parent);
  };

  return {
    name,
    path: pathOf,
    match: ({ files, missing, links, ambient }) =>
      Object.entries(files).every(([file, hash]) => contents.get(file) === hash) &&
      !missing.some((path) => presence.get(path)) &&
      Object.entries(links).every(([path, target]) => targets.get(path) === target) &&
      Object.entries(ambient).every(([folder, hash]) => ambients.get(folder) === hash),
    record({ files, missing, links, ambient }) {
      const recorded: { [file: string]: string } = {};
      for (const [file, text] of files) {
        // Tenon's own files are skipped: the fingerprint covers its runtime.
        if (isOwnFile(file)) continue;
        const hash = text === undefined ? contents.get(name(file)) : hashOf(file, text);
        if (hash === undefined) return undefined;
        recorded[name(file)] = hash;
      }
      return {
        files: recorded,
        missing: [...new Set(missing.flatMap((path) => (isOwnFile(path) ? [] : (missingOf(path) ?? []))))].toSorted(),
        links: Object.fromEntries([...links].map(([path, target]) => [name(path), name(target)])),
        ambient: Object.fromEntries(ambient.map((folder) => [name(folder), ambients.get(name(folder))])),
      };
    },
    refresh: () => [contents, presence, targets, ambients].forEach((memory) => memory.clear()),
  };
}

interface Memory<T> {
  get(key: string): T;
  clear(): void;
}

/** Creates a cache of answers about paths or names, each of which is determined once. */
function createMemory<T>(ask: (key: string) => T): Memory<T> {
  const answers = new Map<string, { readonly answer: T }>();
  return {
    get(key) {
      let known = answers.get(key);
      if (known === undefined) answers.set(key, (known = { answer: ask(key) }));
      return known.answer;
    },
    clear: () => answers.clear(),
  };
}

function hashOfFile(file: string): string | undefined {
  try {
    return contentHash(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function nameOrNone(name: (path: string) => string, path: string): string | undefined {
  try {
    return name(realpathSync(path));
  } catch {
    return undefined;
  }
}

/**
 * Hashes the names of declaration files below a folder, and names and versions of the `@types` packages that are
 * visible from there.
 */
function hashOfAmbient(folder: string): string {
  const found: string[] = [];
  collectDeclarations(folder, "", found);
  for (let at = folder; ; at = dirname(at)) {
    const types = join(at, "node_modules/@types");
    for (const entry of list(types))
      found.push(`${entry.name} ${hashOfFile(join(types, entry.name, "package.json")) ?? ""}`);
    if (dirname(at) === at) break;
  }
  return contentHash(found.join("\n"));
}

function collectDeclarations(folder: string, below: string, found: string[]): void {
  for (const entry of list(join(folder, below))) {
    const path = `${below}/${entry.name}`;
    if (/\.d\.[cm]?ts$/.test(entry.name)) found.push(path);
    else if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
      collectDeclarations(folder, path, found);
  }
}

function list(folder: string): readonly { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
