import { dirname, relative } from "node:path";
import type { RolldownLog } from "rolldown";
import { installedPackage, isOptionalFor, packageNameOf, packageOfFile } from "./installed-packages.ts";

/**
 * Collects the imports of a build that cannot be resolved: bundlers leave them in the code, and the service would fail
 * at its start.
 */
export interface UnresolvedImports {
  /** Reads a message of the bundler; messages that do not concern imports are ignored. */
  note(log: RolldownLog): void;
  /** Imports found since the last call. */
  take(): Unresolved;
}

export interface Unresolved {
  /** Reports, each with its position and fix. */
  readonly errors: readonly string[];
  /** Names of optional dependencies of packages that cannot be resolved. */
  readonly optional: readonly string[];
}

/**
 * Creates a collector of unresolved imports. An import inside a `try` needs its own check, since the bundler does not
 * report it.
 */
export function collectUnresolved(root: string): UnresolvedImports {
  let errors = new Set<string>();
  let optional = new Set<string>();
  return {
    note({ code, id: importer = "", exporter: specifier = "", loc }) {
      if (code !== "UNRESOLVED_IMPORT") return;
      const name = packageNameOf(specifier);
      const folder = packageOfFile(importer);
      if (folder !== undefined && name !== undefined && isOptionalFor(folder, name)) optional.add(name);
      else {
        const place = `${relative(root, importer)}${loc === undefined ? "" : `:${loc.line}:${loc.column + 1}`}`;
        errors.add(`${place}  The import of \`${specifier}\` leads nowhere.\n  fix   ${fixOf(name, importer)}`);
      }
    },
    take() {
      const found = { errors: [...errors], optional: [...optional].toSorted() };
      errors = new Set();
      optional = new Set();
      return found;
    },
  };
}

function fixOf(name: string | undefined, importer: string): string {
  if (name === undefined) return "correct the path";
  // A package of the workspace that was not compiled yet, or a path that its `exports` do not have.
  if (installedPackage(name, dirname(importer)) !== undefined)
    return `compile \`${name}\` first: it is installed, and its \`exports\` lead to no file for this import`;
  const isInPackage = packageOfFile(importer) !== undefined;
  const unless = isInPackage ? "where this service never loads it" : "where it is installed beside the built service";
  return `install it with \`npm install ${name}\`, or write \`--external ${name}\` ${unless}`;
}
