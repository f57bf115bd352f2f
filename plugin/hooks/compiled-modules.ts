import { isOwnFile } from "../packages/own-module.ts";
import { sourceOfCompiled } from "../read/project/compiled-source.ts";

/** Matches JavaScript outside of dependencies: of the project, or of a workspace package. */
export const ownScript: RegExp = /^(?!.*[\\/]node_modules[\\/]).*\.[cm]?jsx?$/;

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
