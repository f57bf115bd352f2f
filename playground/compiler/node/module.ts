/** Stand-in for `node:module` in the worker: the modules that the plugin requires by name. */
import { files } from "./files.ts";
import { platformLibs, recheck } from "../late-scripts.ts";

/** Library texts of platforms, and the judge of patterns, are in scripts of their own, which few sources need. */
function requireByName(name: string): unknown {
  if (name === "@ts-morph/common") return { getLibFiles: () => platformLibs() };
  if (name === "./recheck.cjs" || name === "recheck/lib/browser.js") return recheck();
  if (name.endsWith(".json") && files.read(name) !== undefined) return JSON.parse(files.read(name) ?? "");
  throw new Error(`The playground has no module ${name}.`);
}
requireByName.resolve = (name: string): string => name;

export function createRequire(): typeof requireByName {
  return requireByName;
}

export function enableCompileCache(): void {}

export function isBuiltin(name: string): boolean {
  return name.startsWith("node:");
}

export const builtinModules: readonly string[] = [];
