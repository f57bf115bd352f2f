import type { PluginBuild } from "esbuild";
import type { Build } from "../../compile/build.ts";
import { listPackage, relevantFiles } from "../../packages/find-tool-files.ts";
import { escapeRegex } from "../../model/escape-regex.ts";
import { entryFiles } from "./esbuild-defaults.ts";

/** All TypeScript modules. esbuild's regular expressions have no look-behind, so declaration files match as well. */
const allSources = /\.[cm]?tsx?$/;
/** Number of files below which callbacks for all of them are faster than reading them first. */
const fewFiles = 300;

/**
 * Makes the filter for the files that esbuild passes to the plugin. Each callback is a round trip to another process,
 * which is the main cost if only some of thousands of files have tools. So the files of a large package are read first,
 * and the filter matches only the relevant ones, and all files outside of the package. This needs a set of files that
 * does not change while the filter is used.
 */
export function sourceFilter(native: PluginBuild, build: Build): RegExp {
  const { plugins = [], preserveSymlinks } = native.initialOptions;
  const [entry] = entryFiles(native.initialOptions);
  const root = entry === undefined ? undefined : build.packages.rootOf(entry);
  if (root === undefined || !/^[\x20-\x7e]+$/.test(root)) return allSources;
  // On other systems a file can have several names.
  const hasOneName = process.platform === "linux" && preserveSymlinks !== true;
  if (!hasOneName || plugins.length > 1 || !isCalledByBuild()) return allSources;
  const { sources, left } = listPackage(root);
  if (sources.length < fewFiles) return allSources;
  const relevant = relevantFiles(sources);
  return relevant.length > sources.length / 2 ? allSources : filterFor({ root, left, relevant });
}

/** A package of which the filter matches only some files. */
export interface NarrowedPackage {
  /** Absolute folder, in printable ASCII. */
  readonly root: string;
  /** Absolute folders inside of the package that are treated like those outside. */
  readonly left: readonly string[];
  /** Absolute paths of files. */
  readonly relevant: readonly string[];
}

/** A regular expression with the same meaning in JavaScript and Go. */
export function filterFor({ root, left, relevant }: NarrowedPackage): RegExp {
  const elsewhere = [notBeginningWith(`${root}/`), ...left.map((folder) => `${escapeRegex(folder)}\\/.*`)];
  return new RegExp(`^(?:(?:${elsewhere.join("|")})${allSources.source}|(?:${relevant.map(escapeRegex).join("|")})$)`);
}

/**
 * Matches the part before the extension of a path that does not begin with a given text, since Go has no negative
 * look-ahead.
 */
function notBeginningWith(text: string): string {
  return [...text].reduceRight((rest, letter) => {
    // The next letter of the path differs; it may be the dot of the extension.
    const other = letter === "." ? "[^.].*" : `(?:[^${letter === "-" ? "\\-" : escapeRegex(letter)}].*)?`;
    return rest === "" ? other : `(?:${other}|${escapeRegex(letter)}${rest})`;
  }, "");
}

/**
 * True when esbuild was called for a single build; the filter of a context would be used for all its builds. esbuild's
 * plugins can only see this in the call stack. If it is not visible, as behind an asynchronous plugin, the answer is
 * false.
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
