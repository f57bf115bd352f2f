import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { besideTsMorph } from "../../read/base/beside-ts-morph.ts";
import type { TenonOptions } from "../options.ts";
import { contentHash } from "./content-hash.ts";

/**
 * Hash of everything on which results depend, except files: this package, its compiler, and the options that affect
 * results.
 */
export function fingerprintOf({ rules, namespace, tsconfig }: TenonOptions): string {
  const own = fileURLToPath(import.meta.url);
  const rulesByName = Object.entries(rules ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // The modification time is included, since the package may be rebuilt under the same version, as in this repository.
  const built = statSync(own).mtimeMs;
  const compiler = packageVersion(besideTsMorph().resolve("@ts-morph/common"));
  return contentHash(JSON.stringify([packageVersion(own), built, compiler, rulesByName, namespace, tsconfig]));
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
