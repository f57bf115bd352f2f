import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { parseSync } from "rolldown/utils";
import { viewSuffix } from "../../plugin/bundlers/dev.ts";
import { laterImport } from "./module-code.ts";

/**
 * Target of an import in a project module. A `module` is a file of the project, built alone. A `package` is bundled
 * with all its dependencies: as an ES module, as a CommonJS value, or as a CommonJS module that is loaded when the
 * import runs.
 */
export interface Target {
  readonly kind: "module" | "package" | "commonjs" | "lazy-commonjs";
  /** Absolute path of the module, or its virtual id. */
  readonly id: string;
  /** Placeholder in rendered code for the path of the target's file. */
  readonly token: string;
}

/** All targets of the project's imports so far; each has one placeholder. */
export interface Targets {
  of(id: string, isDynamic: boolean): Target;
  /** Returns the target of a placeholder; undefined for any other text. */
  byToken(token: string): Target | undefined;
  /** The placeholders in a rendered text. */
  tokensIn(code: string): readonly string[];
  /** Replaces each placeholder in the code with the text that `place` returns for its target. */
  replace(code: string, place: (target: Target) => string): string;
}

/** Creates the table of import targets for one run of `tenon dev`. */
export function createTargets(): Targets {
  const prefix = `tenon-dev-${randomUUID()}`;
  const pattern = new RegExp(`${prefix}-\\d+`, "g");
  const lazy = new RegExp(`${laterImport}\\("(${prefix}-\\d+)"\\)`, "g");
  // Import attributes are removed, since the imported JSON files have become JavaScript.
  const attributes = new RegExp(`"(${prefix}-\\d+)", \\{ with: \\{ type: "json" \\} \\}`, "g");
  const byKey = new Map<string, Target>();
  const byToken = new Map<string, Target>();
  const find = (token: string): Target => {
    const target = byToken.get(token);
    if (target === undefined) throw new TypeError(`No import has the token ${token}.`);
    return target;
  };
  return {
    of(id, isDynamic) {
      const key = `${isDynamic ? "dynamic " : ""}${id}`;
      const known = byKey.get(key);
      if (known !== undefined) return known;
      const target = { kind: kindOf(id, isDynamic), id, token: `${prefix}-${byKey.size}` };
      byKey.set(key, target);
      byToken.set(target.token, target);
      return target;
    },
    byToken: (token) => byToken.get(token),
    tokensIn: (code) => [...new Set(code.match(pattern))],
    replace(code, place) {
      return code
        .replace(attributes, '"$1"')
        .replace(lazy, (text, token: string) =>
          find(token).kind === "lazy-commonjs" ? `${text}.then((module) => module.load())` : text,
        )
        .replace(pattern, (token) => place(find(token)));
    },
  };
}

function kindOf(id: string, isDynamic: boolean): Target["kind"] {
  // A view is treated as a module of the project: the plugin compiles it to an ES module, and builds it again after a
  // change.
  if (id.endsWith(viewSuffix)) return "module";
  if (isCommonJs(id)) return isDynamic ? "lazy-commonjs" : "commonjs";
  return id.startsWith("\0") || /[\\/]node_modules[\\/]/.test(id) ? "package" : "module";
}

/** True when a bundler treats a module as CommonJS. */
function isCommonJs(id: string): boolean {
  const extension = extname(id);
  if (extension === ".cjs" || extension === ".cts") return true;
  if (id.startsWith("\0") || !/^\.[jt]sx?$/.test(extension)) return false;
  const text = readFileSync(id, "utf8");
  return /\b(?:exports|require)\b/.test(text) && !parseSync(id, text).module.hasModuleSyntax && !isInEsPackage(id);
}

function isInEsPackage(file: string): boolean {
  for (let at = dirname(file); basename(at) !== "node_modules"; at = dirname(at)) {
    try {
      return (JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as { type?: unknown }).type === "module";
    } catch {
      if (dirname(at) === at) return false;
    }
  }
  return false;
}
