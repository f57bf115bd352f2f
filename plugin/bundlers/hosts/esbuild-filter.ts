import type { PluginBuild } from "esbuild";
import type { Build } from "../../compile/build.ts";
import { listPackage, relevantFiles } from "../../packages/find-tool-files.ts";
import { escapeRegex } from "../../model/escape-regex.ts";
import { entryFiles } from "./esbuild-defaults.ts";

/**
 * Matches all TypeScript modules. Declaration files match too, since esbuild's regular expressions have no look-behind.
 */
const allSources = /\.[cm]?tsx?$/;
/** Number of files up to which calling back for all of them is faster than reading them first. */
const fewFiles = 300;

/**
 * Makes the filter for the files that esbuild passes to the plugin. Each callback is a round trip to another process,
 * which is the main cost if only some of thousands of files have tools. So the files of a large package are read first.
 * The filter then matches only the relevant files of the package, and all files outside of it. This requires that no
 * files are added while the filter is used.
 *
 * @param isSingle True for a single build, not for one of a context.
 */
export function sourceFilter(native: PluginBuild, build: Build, isSingle: boolean): RegExp {
  const { plugins = [], preserveSymlinks } = native.initialOptions;
  const [entry] = entryFiles(native.initialOptions);
  const root = entry === undefined ? undefined : build.packages.rootOf(entry);
  if (root === undefined || !/^[\x20-\x7e]+$/.test(root)) return allSources;
  // The filter is narrowed on Linux only, since on other systems a file can have several names.
  const hasOneName = process.platform === "linux" && preserveSymlinks !== true;
  if (!hasOneName || plugins.length > 1 || !isSingle) return allSources;
  const { sources, left } = listPackage(root);
  if (sources.length < fewFiles) return allSources;
  const relevant = relevantFiles(sources);
  const known = new Set(relevant);
  build.passOver(sources.filter((file) => !known.has(file)));
  return relevant.length > sources.length / 2 ? allSources : filterFor({ root, left, relevant });
}

/** A package of which the filter matches only some files. */
export interface NarrowedPackage {
  /** Absolute folder, in printable ASCII. */
  readonly root: string;
  /** Absolute folders inside of the package whose files match as if they were outside. */
  readonly left: readonly string[];
  /** Absolute paths of files. */
  readonly relevant: readonly string[];
}

/**
 * Makes the filter: it matches the relevant files of the package, and all TypeScript files outside of it. Its syntax
 * means the same in JavaScript and in Go, in which esbuild is written.
 */
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
    // One letter of the path differs from the text; the letter may be the dot of the extension.
    const other = letter === "." ? "[^.].*" : `(?:[^${letter === "-" ? "\\-" : escapeRegex(letter)}].*)?`;
    return rest === "" ? other : `(?:${other}|${escapeRegex(letter)}${rest})`;
  }, "");
}
