import { isOwnFile } from "../packages/own-module.ts";
import { sourceOfCompiled } from "../read/project/compiled-source.ts";

/**
 * Matches JavaScript outside of dependencies: of the project, or of a workspace package. The syntax means the same in
 * Go, in which esbuild is written, and which has no look-ahead.
 */
export const ownScript: RegExp = new RegExp(String.raw`^(?:${otherThan("node_modules")}[\\/])*[^\\/]+\.[cm]?jsx?$`);

/** Matches a part of a path that is not a given name. */
function otherThan(name: string): string {
  const rest = String.raw`[^\\/]*`;
  return [...name].reduceRight(
    (after, letter) => String.raw`(?:[^${letter}\\/]${rest}|${letter}${after})?`,
    String.raw`[^\\/]${rest}`,
  );
}

/**
 * Returns the text of a module that re-exports the TypeScript source of a compiled JavaScript file, and that is loaded
 * instead of the file. Undefined if the code has no `@tool`, `@prompt` or `@resource`, or if its source is unknown.
 */
export function insteadOfCompiled(file: string, code: string): string | undefined {
  const source = isOwnFile(file) || !/@(?:tool|prompt|resource)\b/.test(code) ? undefined : sourceOfCompiled(file);
  if (source === undefined) return undefined;
  const from = `from ${JSON.stringify(source)};\n`;
  return `export * ${from}${/\bexport\s+default\b|\bas default\b/.test(code) ? `export { default } ${from}` : ""}`;
}
