import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a source file must contain before the plugin looks at it: a tool, a service, a server on standard output, or a
 * decorated model.
 */
export const relevantCode: RegExp =
  /@(?:tool|prompt|resource)\b|\bwithSchema\b|\.ask\s*<|\bplatformLambda\b|\bnew\s+Service\b|\bstart(?:LambdaServer|BatchService)\b|\brunMcpStdio\b/;

/** What a source file contains that may bring in tools of other files. */
export const importingCode: RegExp = /\bfrom\s*["']|\bimport\s*["']/;

/** Whether a file's text starts a service. */
export function startsService(text: string): boolean {
  return /\bnew\s+Service\b|\bstart(?:LambdaServer|BatchService)\s*\(|\brunMcpStdio\s*\(/.test(text);
}

/** TypeScript modules, as bundlers name them: no query, so `?raw` imports stay text. */
export const sourceFile: RegExp = /(?<!\.d)\.[cm]?tsx?$/;

const toolCode = /@(?:tool|prompt|resource)\b|\bwithSchema\b|\.ask\s*<|\bplatformLambda\b/;
const skipped = new Set(["node_modules", "dist", "build", "out", "coverage"]);

/**
 * Files below a package's folder that may hold tools, sorted. Dependencies, output folders and packages inside are left
 * out. For sharing one program: a file too many costs milliseconds, a missed one makes the program grow later.
 */
export function findToolFiles(folder: string): readonly string[] {
  return listPackage(folder)
    .sources.filter((file) => toolCode.test(readText(file)))
    .toSorted();
}

/** Those of some files that the plugin has to look at. */
export function relevantFiles(files: readonly string[]): readonly string[] {
  return files.filter((file) => relevantCode.test(readText(file)));
}

/** Whether the plugin has to look at a file at all. */
export function mayConcern(file: string, text: string): boolean {
  return sourceFile.test(file) && relevantCode.test(text);
}

/** The source files of a package, and the folders below its own that are not part of it. */
export interface PackageFiles {
  /** Absolute. */
  readonly sources: readonly string[];
  /** Absolute: dependencies, outputs, packages inside, and what cannot be read. */
  readonly left: readonly string[];
}

/** Lists a package; nothing is read but folders. */
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

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
