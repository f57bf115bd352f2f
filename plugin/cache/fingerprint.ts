import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TenonOptions } from "../options.ts";
import { contentHash } from "./content-hash.ts";

/** What every result depends on beside files: this package, the compiler inside it, and the options that shape results. */
export function fingerprintOf({ rules, namespace, tsconfig }: TenonOptions): string {
  const own = fileURLToPath(import.meta.url);
  const rulesByName = Object.entries(rules ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A package that is built again under the same version, as in this repository, has a younger file here.
  const built = statSync(own).mtimeMs;
  return contentHash(JSON.stringify([packageVersion(own), built, compilerVersion(), rulesByName, namespace, tsconfig]));
}

function compilerVersion(): unknown {
  const resolve = (from: string, name: string): string => createRequire(from).resolve(name);
  return packageVersion(resolve(resolve(import.meta.url, "ts-morph"), "@ts-morph/common"));
}

/** Version of the package that a file belongs to. */
function packageVersion(file: string): unknown {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    try {
      return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version?: unknown }).version;
    } catch {
      // It is further up.
    }
  }
  return undefined;
}
