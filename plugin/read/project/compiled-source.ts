import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readText } from "../base/read-text.ts";

/**
 * Finds the TypeScript from which a compiled file of a workspace package was made: by the source map of its
 * declarations or of the file itself, else by the condition `source` of the package's `exports`. Undefined for all
 * other files.
 *
 * @param file Absolute path of JavaScript or of declarations
 */
export function sourceOfCompiled(file: string): string | undefined {
  if (/[\\/]node_modules[\\/]/.test(file)) return undefined;
  const declarations = file.replace(/(?<!\.d)\.([cm]?)[jt]sx?$/, ".d.$1ts");
  for (const map of new Set([`${declarations}.map`, `${file}.map`])) {
    const { sources = [], sourceRoot = "" } = readJson(map) as { sources?: string[]; sourceRoot?: string };
    const [source, ...others] = sources.map((one) => resolve(dirname(map), sourceRoot, one));
    if (others.length === 0 && source !== undefined && isTypeScript(source)) return source;
  }
  return sourceByExports(file);
}

function isTypeScript(file: string): boolean {
  return /(?<!\.d)\.[cm]?tsx?$/.test(file) && existsSync(file);
}

function sourceByExports(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const text = readText(join(folder, "package.json"));
    if (text !== undefined) {
      const { exports: targets } = readJson(join(folder, "package.json")) as { exports?: unknown };
      const source = findSource(targets, folder, file);
      return source !== undefined && isTypeScript(source) ? source : undefined;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Finds the target of the condition `source` beside the condition that leads to a file; both may contain a `*`. */
function findSource(targets: unknown, folder: string, file: string): string | undefined {
  if (typeof targets !== "object" || targets === null) return undefined;
  const { source } = targets as { readonly source?: unknown };
  for (const target of Object.values(targets)) {
    const nested = findSource(target, folder, file);
    if (nested !== undefined) return nested;
    if (typeof source !== "string" || typeof target !== "string") continue;
    const [head = "", tail] = join(folder, target).split("*");
    if (tail === undefined ? head !== file : !(file.startsWith(head) && file.endsWith(tail))) continue;
    const part = tail === undefined ? "" : file.slice(head.length, file.length - tail.length);
    return join(folder, source.replace("*", part));
  }
  return undefined;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file) ?? "{}");
  } catch {
    return {};
  }
}
