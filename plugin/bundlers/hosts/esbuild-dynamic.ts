import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { OnResolveResult, PluginBuild } from "esbuild";
import { builtinSpecifier } from "../../hooks/builtin-modules.ts";
import { readPackageJson } from "../../packages/read-package-json.ts";
import type { Packages } from "../../packages/packages.ts";
import { isModuleForNode } from "./esbuild-defaults.ts";

const namespace = "tenon-import";
/** Suffix for CommonJS modules that are imported by an ES module as Node defines it. */
const asNode = "?node";
const askedByUs = "tenon asks esbuild for an import()";

/**
 * Matches names of packages but `tenon`, and of CommonJS files. Relative imports of `.js` do not match, nor do those of
 * `tenon/internal`, which every module with a tool has: a callback for each would cost more than the rest of the
 * plugin's work. Go has no negative look-ahead.
 */
const mayBeCommonJs = /^(?:[^./\\t]|t(?:$|[^e])|te(?:$|[^n])|ten(?:$|[^o])|teno(?:$|[^n])|tenon[^/])|\.cjs$/;

/**
 * Gives `import()` of CommonJS modules the names of their exports. With splitting, esbuild exports nothing but
 * `default` from the chunk of such a module.
 */
export function nameDynamicImports(native: PluginBuild, packages: Packages): void {
  if (native.initialOptions.splitting !== true || !isModuleForNode(native.initialOptions)) return;
  native.onResolve({ filter: mayBeCommonJs }, async (args): Promise<OnResolveResult | undefined> => {
    const { path, kind, pluginData, importer, resolveDir } = args;
    if (kind !== "dynamic-import" || pluginData === askedByUs || args.namespace !== "file") return undefined;
    if (builtinSpecifier.test(path)) return { path, namespace };
    const found = await native.resolve(path, { importer, kind, resolveDir, namespace: "file", pluginData: askedByUs });
    if (
      found.external ||
      found.namespace !== "file" ||
      found.suffix !== "" ||
      !(await isCommonJs(found.path, packages))
    )
      return undefined;
    return { path: found.path, namespace, suffix: isModuleByName(importer, packages) ? asNode : "" };
  });
  native.onLoad({ filter: /.*/, namespace }, ({ path, suffix }) => ({
    contents: namedModule(path, suffix === asNode),
    loader: "js",
    resolveDir: dirname(path),
  }));
}

/**
 * Makes a module whose import returns the object of another module. A wrapper is needed because `import()` waits for
 * any object that has a method `then`.
 */
function namedModule(path: string, isNode: boolean): string {
  const from = JSON.stringify(path);
  const names = `import * as names from ${from};\n`;
  if (!isNode) return `${names}export const then = (resolve) => resolve(names);\n`;
  const all = "whole !== null && whole.__esModule ? { ...names, default: whole } : names";
  return `${names}const whole = require(${from});\nexport const then = (resolve) => resolve(${all});\n`;
}

async function isCommonJs(file: string, packages: Packages): Promise<boolean> {
  if (!/\.c?js$/.test(file) || isModuleByName(file, packages)) return false;
  const text = readFileSync(file, "utf8");
  if (!/\b(?:import|export)\b/.test(text)) return true;
  const { parse } = await import("rolldown/utils");
  return !(await parse(file, text)).module.hasModuleSyntax;
}

/**
 * True if Node would treat the file as an ES module, by its name and package; in such a module, `default` is the whole
 * `module.exports`.
 */
function isModuleByName(file: string, packages: Packages): boolean {
  if (/\.[mc][jt]s$/.test(file)) return /\.m[jt]s$/.test(file);
  const root = packages.rootOf(file);
  return root !== undefined && readPackageJson(root)["type"] === "module";
}
