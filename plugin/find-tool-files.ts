import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a source file must contain before the plugin looks at it: a tool, a service, or a server on standard output. */
export const relevantCode: RegExp =
  /@(?:tool|prompt|resource)\b|\.ask\s*<|\bplatformLambda\b|\bnew\s+Service\b|\bstart(?:LambdaServer|BatchService)\b|\brunMcpStdio\b/;

/** What a source file contains that may bring in tools of other files. */
export const importingCode: RegExp = /\bfrom\s*["']|\bimport\s*["']/;

/** Whether a file's text starts a service. */
export function startsService(text: string): boolean {
  return /\bnew\s+Service\b|\bstart(?:LambdaServer|BatchService)\s*\(|\brunMcpStdio\s*\(/.test(text);
}

/** TypeScript modules, as bundlers name them: no query, so `?raw` imports stay text. */
export const sourceFile: RegExp = /(?<!\.d)\.[cm]?tsx?$/;

const toolCode = /@(?:tool|prompt|resource)\b|\.ask\s*<|\bplatformLambda\b/;
const skipped = new Set(["node_modules", "dist", "build", "out", "coverage"]);

/**
 * Files below a package's folder that may hold tools, sorted. Dependencies, output folders and packages inside are left
 * out. For sharing one program: a file too many costs milliseconds, a missed one makes the program grow later.
 */
export function findToolFiles(folder: string): readonly string[] {
  const found: string[] = [];
  visit(folder, true, found);
  return found.toSorted();
}

/** Whether the plugin has to look at a file at all. */
export function mayConcern(file: string, text: string): boolean {
  return sourceFile.test(file) && relevantCode.test(text);
}

/** Whether a text may hold a tool. */
function mayHoldTool(text: string): boolean {
  return toolCode.test(text);
}

function visit(folder: string, outermost: boolean, found: string[]): void {
  const entries = list(folder);
  if (!outermost && entries.some((entry) => entry.name === "package.json")) return;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith(".") && !skipped.has(entry.name)) visit(path, false, found);
    } else if (entry.isFile() && sourceFile.test(entry.name) && mayHoldTool(readText(path))) found.push(path);
  }
}

function list(folder: string): readonly { name: string; isDirectory(): boolean; isFile(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that cannot be read has no tools that the build could load.
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
