import type { PluginBuild } from "esbuild";
import type { Build } from "../../compile/build.ts";
import { listPackage, relevantFiles } from "../../packages/find-tool-files.ts";
import { escapeRegex } from "../../model/escape-regex.ts";
import { entryFiles } from "./esbuild-defaults.ts";

/** All TypeScript modules: esbuild's expressions cannot look back, so declarations come by as well. */
const allSources = /\.[cm]?tsx?$/;
/** Fewer files are asked about sooner than they are read. */
const fewFiles = 300;

/**
 * Which files esbuild asks the plugin about. Each question goes to another process and back, which is what tools among
 * thousands of files cost. So in a large package its files are read before, and esbuild asks about those that concern the
 * plugin, and about all that lie elsewhere. Not where a file can come into being or change while the filter is in use.
 */
export function sourceFilter(native: PluginBuild, build: Build): RegExp {
  const { plugins = [], preserveSymlinks } = native.initialOptions;
  const [entry] = entryFiles(native.initialOptions);
  const root = entry === undefined ? undefined : build.packages.rootOf(entry);
  if (root === undefined || !/^[\x20-\x7e]+$/.test(root)) return allSources;
  // Elsewhere a file has several names.
  const hasOneName = process.platform === "linux" && preserveSymlinks !== true;
  if (!hasOneName || plugins.length > 1 || !isCalledByBuild()) return allSources;
  const { sources, left } = listPackage(root);
  if (sources.length < fewFiles) return allSources;
  const relevant = relevantFiles(sources);
  return relevant.length > sources.length / 2 ? allSources : filterFor({ root, left, relevant });
}

/** A package of which only some files are asked about. */
export interface NarrowedPackage {
  /** Absolute folder, in printable ASCII. */
  readonly root: string;
  /** Absolute folders below it whose files are asked about like those outside. */
  readonly left: readonly string[];
  /** Absolute paths of files. */
  readonly relevant: readonly string[];
}

/** An expression that JavaScript and Go read alike. */
export function filterFor({ root, left, relevant }: NarrowedPackage): RegExp {
  const elsewhere = [notBeginningWith(`${root}/`), ...left.map((folder) => `${escapeRegex(folder)}\\/.*`)];
  return new RegExp(`^(?:(?:${elsewhere.join("|")})${allSources.source}|(?:${relevant.map(escapeRegex).join("|")})$)`);
}

/** What stands in front of the extension in a path that does not begin with a text; Go knows no negative look-ahead. */
function notBeginningWith(text: string): string {
  return [...text].reduceRight((rest, letter) => {
    // The path's next letter is another one, which may be the point of the extension.
    const other = letter === "." ? "[^.].*" : `(?:[^${letter === "-" ? "\\-" : escapeRegex(letter)}].*)?`;
    return rest === "" ? other : `(?:${other}|${escapeRegex(letter)}${rest})`;
  }, "");
}

/**
 * Whether esbuild was called to build once: the filter of a context serves all its builds. esbuild tells its plugins only
 * by who called them, and where that cannot be seen, as behind a plugin that takes its time, the answer is no.
 */
function isCalledByBuild(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const callers = stack.split("\n").filter((line) => /[\\/]esbuild[\\/]lib[\\/]main\.js:/.test(line));
  const isCalledBy = (name: string): boolean => callers.some((line) => line.includes(`.${name} (`));
  return isCalledBy("build") && !isCalledBy("context");
}
