import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { readText } from "../read/base/read-text.ts";
import { sourceOfCompiled } from "../read/project/compiled-source.ts";
import { isOwnFile } from "./own-module.ts";
import type { UnreachedRequest } from "./unreached-tools.ts";

/** Matches JavaScript files and their declaration files. */
const javaScript = /(?:\.d\.[cm]?ts|\.[cm]?jsx?)$/;

const comment = String.raw`\/\*\*(?:(?!\*\/)[^])*?(?<![\`\w])@(?:tool|prompt|resource)\b(?:(?!\*\/)[^])*\*\/`;
const markedExport = new RegExp(
  String.raw`${comment}\s*export\s+(?:declare\s+)?(?:default\s+)?(?:async\s+)?(?:function|const)\s+(\w+)`,
);
const anyExport = /^export\s+(?:async\s+)?(?:function|const)\s+(\w+)/m;

/**
 * Finds functions with `@tool` in JavaScript modules of the build. Without types, such functions are bundled but not
 * served.
 */
export function javaScriptTools({ root, loaded, edits }: UnreachedRequest): readonly Diagnostic[] {
  return [...loaded].flatMap((file) => {
    if (!javaScript.test(file) || /[\\/]node_modules[\\/]/.test(file) || isOwnFile(file)) return [];
    const found = firstMatch(edits?.get(file) ?? readText(file), markedExport);
    if (found === undefined || loaded.has(sourceOfCompiled(file) ?? "")) return [];
    const path = relative(root, file).replaceAll("\\", "/");
    const place = { file: path, line: found.line, column: 1 };
    return [isCompiled(file, found.text) ? compiled(found.name, place) : written(found.name, place)];
  });
}

/** Exported functions of the build's own TypeScript, with their places, for a service that has no tools. */
export function exportsWithoutMark({ root, service, loaded, edits }: UnreachedRequest): readonly string[] {
  return [...loaded].flatMap((file) => {
    if (file === service || !/(?<!\.d)\.[cm]?tsx?$/.test(file) || isOwnFile(file)) return [];
    const path = relative(root, file).replaceAll("\\", "/");
    if (path.startsWith("..") || path.includes("node_modules/")) return [];
    const found = firstMatch(edits?.get(file) ?? readText(file), anyExport);
    return found === undefined ? [] : [`\`${found.name}\` (${path}:${found.line})`];
  });
}

type Place = Pick<Diagnostic, "file" | "line" | "column">;

function compiled(name: string, place: Place): Diagnostic {
  return {
    code: "TN416",
    level: "warning",
    message: `\`${name}\` is marked as a tool, and reaches the build as compiled JavaScript, whose types are gone, so that it is not served.`,
    fix: "let the package lead to its sources within the workspace: a condition `source` in its `exports`, or `declarationMap` in its tsconfig",
    ...place,
  };
}

function written(name: string, place: Place): Diagnostic {
  const { file = "" } = place;
  return {
    code: "TN416",
    level: "warning",
    message: `\`${name}\` is marked as a tool in JavaScript, and tools are read from the types of TypeScript, so that it is not served.`,
    fix: `name the file \`${basename(file).replace(/jsx?$/, "ts")}\`, and write the types of its comment into the signature`,
    ...place,
  };
}

/**
 * True for compiler output: a `.d.ts` file, a minified file, or a file with a source map or with a `.d.ts` file beside
 * it.
 */
function isCompiled(file: string, text: string): boolean {
  return (
    /\.d\.[cm]?ts$|\.min\.js$/.test(file) || text.includes("//# sourceMappingURL=") || existsSync(declarationsOf(file))
  );
}

function declarationsOf(file: string): string {
  return file.replace(/\.([cm]?)jsx?$/, ".d.$1ts");
}

function firstMatch(
  text: string | undefined,
  pattern: RegExp,
): { readonly name: string; readonly line: number; readonly text: string } | undefined {
  if (text === undefined) return undefined;
  const match = pattern.exec(text);
  const [whole = "", name] = match ?? [];
  if (match === null || name === undefined) return undefined;
  return { name, line: text.slice(0, match.index + whole.length).split("\n").length, text };
}
