import { resolve } from "node:path";
import type { BuildOptions } from "esbuild";
import { composeBanner } from "../../hooks/banner.ts";
import type { EntryKinds } from "../../packages/entry-kind.ts";
import { findSource } from "../../packages/find-tool-files.ts";
import { readText } from "../../read/base/read-text.ts";

/**
 * Sets defaults for a service that runs with `node` from an empty folder. The user's own options, such as a banner,
 * take precedence. Options apply to all entries, so if one entry has no tools, esbuild's defaults stay. Returns the
 * banner.
 */
export function applyEsbuildDefaults(
  options: BuildOptions,
  { allServices, someOther }: EntryKinds,
): string | undefined {
  if (!someOther) {
    options.bundle ??= true;
    options.platform ??= "node";
    options.format ??= "esm";
    options.target ??= "node22";
    if (options.outfile === undefined) options.outdir ??= "dist";
  }
  if (!isModuleForNode(options)) return undefined;
  if (options.outfile === undefined && allServices) {
    // Splitting makes a service start faster, since code that is not needed yet is not read.
    options.splitting ??= true;
    options.chunkNames ??= "chunks/[name]-[hash]";
    options.outExtension = { ".js": ".mjs", ...options.outExtension };
  }
  const ours = composeBanner({ commonJsNames: true, stdio: entriesServeStdio(options), builtins: true });
  const theirs = options.banner?.["js"];
  options.banner = { ...options.banner, js: theirs === undefined ? ours : `${ours}\n${theirs}` };
  return ours;
}

/** True for output in the default form: ES modules for Node. */
export function isModuleForNode({ format, platform }: BuildOptions): boolean {
  return format === "esm" && platform === "node";
}

/**
 * Returns the paths of the entries. An entry without an extension, or one that a plugin resolves, may not be a file.
 */
export function entryFiles({ entryPoints = [], absWorkingDir = process.cwd() }: BuildOptions): readonly string[] {
  const named = Array.isArray(entryPoints) ? entryPoints : Object.values(entryPoints);
  return named.map((entry) => resolve(absWorkingDir, typeof entry === "string" ? entry : entry.in));
}

// Reads the entries to find out whether the service uses standard output. esbuild needs its banner before it reads any
// file.
function entriesServeStdio(options: BuildOptions): boolean {
  return entryFiles(options).some((path) => /\brunMcpStdio\s*\(/.test(readText(findSource(path) ?? path) ?? ""));
}
