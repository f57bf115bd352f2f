import { jobCalls } from "../read/base/job-calls.ts";
import { readText } from "../read/base/read-text.ts";
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const toolCode = new RegExp(`@(?:tool|prompt|resource)\\b|\\bwithSchema\\b|${jobCalls.source}|\\bplatformLambda\\b`);

/**
 * Matches source files that the plugin must read: with a tool, a service, a server on standard output, or a decorated
 * model.
 */
export const relevantCode: RegExp = new RegExp(
  `${toolCode.source}|\\bnew\\s+Service\\b|\\bstart(?:LambdaServer|BatchService)\\b|\\brunMcpStdio\\b`,
);

/** Matches source files that may import tools from other files. */
export const importingCode: RegExp = /\bfrom\s*["']|\bimport\s*["']/;

/** True for a file that starts a service. */
export function startsService(text: string): boolean {
  return /\bnew\s+Service\b|\bstart(?:LambdaServer|BatchService)\s*\(|\brunMcpStdio\s*\(/.test(text);
}

/**
 * Matches TypeScript modules by the ids that bundlers use. Ids with a query do not match, so `?raw` imports stay text.
 */
export const sourceFile: RegExp = /(?<!\.d)\.[cm]?tsx?$/;

const skipped = new Set(["node_modules", "dist", "build", "out", "coverage"]);

/**
 * Lists the files below a package's folder that may contain tools, sorted, without dependencies, output folders and
 * nested packages. These files share one TypeScript program: a superfluous file costs milliseconds, a missing file
 * makes the program grow later.
 */
export function findToolFiles(folder: string): readonly string[] {
  return listPackage(folder)
    .sources.filter((file) => toolCode.test(readText(file) ?? ""))
    .toSorted();
}

/** Finds the file of an import by its path, which may have no extension, or TypeScript's spelling (`./tool.js`). */
export function findSource(path: string): string | undefined {
  if (/\.\w+$/.test(path) && isFile(path)) return path;
  const [, stem = path, kind = ""] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? [];
  return [`${stem}.${kind}ts`, `${stem}.tsx`, `${stem}/index.ts`].find(isFile);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Returns those of the files that the plugin must read. */
export function relevantFiles(files: readonly string[]): readonly string[] {
  return files.filter((file) => relevantCode.test(readText(file) ?? ""));
}

/** True for a file that the plugin must read. */
export function mayConcern(file: string, text: string): boolean {
  return sourceFile.test(file) && relevantCode.test(text);
}

/** The source files of a package, and its excluded folders. */
export interface PackageFiles {
  /** Absolute. */
  readonly sources: readonly string[];
  /** Absolute paths of excluded folders: dependencies, outputs, nested packages, and unreadable ones. */
  readonly left: readonly string[];
}

/** Lists the files of a package. Only folders are read, not files. */
export function listPackage(folder: string): PackageFiles {
  const [sources, left]: [string[], string[]] = [[], []];
  const visit = (at: string): void => {
    const entries = list(at);
    if (entries === undefined || (at !== folder && entries.some(({ name }) => name === "package.json"))) {
      left.push(at);
      return;
    }
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name.startsWith(".") || skipped.has(entry.name)) left.push(path);
        else visit(path);
      } else if (entry.isFile() && sourceFile.test(entry.name)) sources.push(path);
    }
  };
  visit(folder);
  return { sources, left };
}

function list(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
