import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { besideTsMorph } from "../../read/base/beside-ts-morph.ts";
import { readText } from "../../read/base/read-text.ts";
import type { TenonOptions } from "../options.ts";
import { contentHash } from "./content-hash.ts";

/**
 * Hash of everything on which results depend, except files: this package, its compiler, and the options that affect
 * results.
 *
 * @param chosen The tsconfig, if it is not that of the options alone; see {@link chosenTsconfig}.
 */
export function fingerprintOf({ rules, namespace, tsconfig }: TenonOptions, chosen?: string): string {
  const own = fileURLToPath(import.meta.url);
  const rulesByName = Object.entries(rules ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // The modification time is included, since the package may be rebuilt under the same version, as in this repository.
  const built = statSync(own).mtimeMs;
  const compiler = packageVersion(besideTsMorph().resolve("@ts-morph/common"));
  return contentHash(JSON.stringify([packageVersion(own), built, compiler, rulesByName, namespace, tsconfig, chosen]));
}

/**
 * Names the tsconfig by which files are compiled, relative to the project: that of the options, or the nearest one
 * above a file. Entries of a package may have different ones, and compile what they share differently. Which project
 * of a solution has a file is known to the compiler alone, so the folder of the file is added where there are any.
 */
export function chosenTsconfig(root: string, near: string, { tsconfig }: Pick<TenonOptions, "tsconfig">): string {
  const file = tsconfig === undefined ? nearestTsconfig(dirname(near)) : resolve(root, tsconfig);
  if (file === undefined) return "";
  const isSolution = readText(file)?.includes('"references"') === true;
  return [file, ...(isSolution ? [dirname(near)] : [])].map((path) => relative(root, path)).join(" ");
}

function nearestTsconfig(folder: string): string | undefined {
  const file = join(folder, "tsconfig.json");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : nearestTsconfig(dirname(folder));
}

/** Version of the package that a file belongs to. */
function packageVersion(file: string): unknown {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    try {
      return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version?: unknown }).version;
    } catch {
      // No package.json in this folder: the search continues further up.
    }
  }
  return undefined;
}
