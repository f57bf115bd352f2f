import { existsSync, readFileSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ReadingInputs } from "../read/reading-inputs.ts";
import { isOwnFile } from "../own-module.ts";
import { contentHash } from "./content-hash.ts";

/** Inputs as an entry keeps them: paths relative to the project, contents as hashes. */
export interface RecordedInputs {
  readonly files: { readonly [file: string]: string };
  readonly missing: readonly string[];
  readonly links: { readonly [path: string]: string };
  readonly ambient: { readonly [folder: string]: string };
}

/**
 * What the file system says. The rule of the cache: a result is used again only if every question that was asked for it
 * is answered as it was then; each question is asked once until something may have changed.
 */
export interface FileStates {
  /** Path relative to the project, the same on every system. */
  name(file: string): string;
  /** The absolute path of such a name. */
  path(name: string): string;
  /** Whether everything is as it was. */
  match(recorded: RecordedInputs): boolean;
  /** The inputs in a form to keep; undefined when one of them is already gone. */
  record(inputs: ReadingInputs): RecordedInputs | undefined;
  /** Forgets all answers. */
  refresh(): void;
}

/** Answers for the project in a folder. */
export function createFileStates(root: string): FileStates {
  const answers = new Map<string, string | undefined>();
  const hashes = new Map<string, { readonly text: string; readonly hash: string }>();
  const ask = (question: string, path: string, answer: (path: string) => string | undefined): string | undefined => {
    const key = `${question}:${path}`;
    if (!answers.has(key)) answers.set(key, answer(resolve(root, path)));
    return answers.get(key);
  };
  const name = (path: string): string => relative(root, path).replaceAll("\\", "/");
  const hashOf = (path: string, text: string): string => {
    const known = hashes.get(path);
    if (known?.text === text) return known.hash;
    const hash = contentHash(text);
    hashes.set(path, { text, hash });
    return hash;
  };
  const contentOf = (path: string): string | undefined => ask("content", path, hashOfFile);
  const isThere = (path: string): boolean => ask("exists", path, (file) => (existsSync(file) ? "yes" : "no")) === "yes";
  const targetOf = (path: string): string | undefined => ask("target", path, (file) => nameOrNone(name, file));
  const ambientIn = (path: string): string | undefined => ask("ambient", path, hashOfAmbient);
  /** The topmost of the folders that had to be there first. */
  const missingOf = (path: string): string | undefined => {
    if (isThere(name(path))) return undefined;
    const parent = dirname(path);
    return parent === path || isThere(name(parent)) ? name(path) : missingOf(parent);
  };

  return {
    name,
    path: (one) => resolve(root, one),
    match: ({ files, missing, links, ambient }) =>
      Object.entries(files).every(([file, hash]) => contentOf(file) === hash) &&
      !missing.some(isThere) &&
      Object.entries(links).every(([path, target]) => targetOf(path) === target) &&
      Object.entries(ambient).every(([folder, hash]) => ambientIn(folder) === hash),
    record({ files, missing, links, ambient }) {
      const contents: { [file: string]: string } = {};
      for (const [file, text] of files) {
        // The fingerprint speaks for our own runtime.
        if (isOwnFile(file)) continue;
        const hash = text === undefined ? contentOf(name(file)) : hashOf(file, text);
        if (hash === undefined) return undefined;
        contents[name(file)] = hash;
      }
      return {
        files: contents,
        missing: [...new Set(missing.flatMap((path) => missingOf(path) ?? []))].toSorted(),
        links: Object.fromEntries([...links].map(([path, target]) => [name(path), name(target)])),
        ambient: Object.fromEntries(ambient.map((folder) => [name(folder), ambientIn(name(folder)) ?? ""])),
      };
    },
    refresh: () => answers.clear(),
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

/** Names of the declaration files below a folder, and names and versions of the `@types` packages that it sees. */
function hashOfAmbient(folder: string): string {
  const found: string[] = [];
  collectDeclarations(folder, "", found);
  for (let at = folder; ; at = dirname(at)) {
    const types = join(at, "node_modules/@types");
    for (const entry of list(types)) found.push(`${entry.name} ${hashOfFile(join(types, entry.name, "package.json")) ?? ""}`);
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
