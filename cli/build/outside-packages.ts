import { dirname, relative } from "node:path";
import type { Plugin } from "rolldown";
import { CommandError } from "../base/usage.ts";
import { installedPackage, isNative, packageNameOf, packageOfFile } from "./installed-packages.ts";

/** A package that a bundle imports from a node_modules beside it. */
export interface OutsidePackage {
  readonly name: string;
  /** Real path; undefined if the package is not installed. */
  readonly folder: string | undefined;
  readonly reason: "native" | "asked";
}

/** Keeps packages out of the bundles of one command. */
export interface OutsidePackages {
  readonly plugin: Plugin;
  /** The packages that were imported, by name. */
  list(): readonly OutsidePackage[];
  /** True when the last bundle contained native code of a package that was not known to be native: bundle again. */
  learned(): boolean;
}

// Relative and absolute paths, `node:fs` and virtual modules are not packages.
const bare = /^(?:@[^/\\]+\/)?[A-Za-z0-9_][^:\\]*$/;

/**
 * Creates the list of packages that are not bundled. `asked`: packages that the author excludes; native packages are
 * always excluded.
 */
export function keepOutside(root: string, asked: readonly string[]): OutsidePackages {
  const found = new Map<string, OutsidePackage>();
  const native = new Map<string, boolean>();
  const loaded = new Set<string>();
  let hasLearned = false;

  const isKnownNative = (folder: string): boolean => {
    const known = native.get(folder) ?? isNative(folder);
    native.set(folder, known);
    return known;
  };

  const plugin: Plugin = {
    name: "tenon-outside",
    resolveId: {
      order: "pre",
      filter: { id: bare },
      handler(specifier, importer) {
        const name = packageNameOf(specifier);
        if (name === undefined || importer === undefined) return undefined;
        const folder = installedPackage(name, importer.startsWith("\0") ? root : dirname(importer));
        const isAsked = asked.includes(name);
        if (!isAsked && (folder === undefined || !isKnownNative(folder))) return undefined;
        found.set(name, { name, folder, reason: isAsked ? "asked" : "native" });
        return { id: specifier, external: true };
      },
    },
    load: {
      filter: { id: /\.node$/ },
      handler(file) {
        loaded.add(file);
        return "";
      },
    },
    buildEnd() {
      const packages = [...loaded].map((file) => ({ file, folder: packageOfFile(file) }));
      loaded.clear();
      hasLearned = false;
      // Imports of a known native package by its name stay outside: one that is met is reached by an alias or a path.
      const aliased = packages.find(({ folder }) => folder !== undefined && native.get(folder) === true);
      if (aliased !== undefined) throw aliasedNative(relative(root, aliased.file));
      for (const { file, folder } of packages) {
        if (folder === undefined) throw ownNative(relative(root, file));
        native.set(folder, true);
      }
      hasLearned = packages.length > 0;
      if (hasLearned) throw new Error("A package is native.");
    },
  };
  return {
    plugin,
    list: () => [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    learned: () => hasLearned,
  };
}

function ownNative(file: string): CommandError {
  return new CommandError(
    `${file} is native code, which cannot be bundled. Put it into a package of its own, and import that package.`,
  );
}

function aliasedNative(file: string): CommandError {
  return new CommandError(
    `${file} is native code, which cannot be bundled, and is reached by an alias or a path. Import its package by its name.`,
  );
}
