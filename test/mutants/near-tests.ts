/** Finds the unit tests that load a source file, by the imports in their texts. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Answers with the unit tests that load a file, the nearest first, and by how many imports. */
export interface NearTests {
  of(file: string): readonly { readonly test: string; readonly distance: number }[];
}

const imports = /(?:^|\n)\s*(?:import|export)\s(?!type\s)[^"';]*?from\s*"(\.[^"]+)"|import\s*\(\s*"(\.[^"]+)"/g;

/** Reads the imports of all sources and unit tests of the project in `root`. */
export function readNearTests(root: string): NearTests {
  const importers = new Map<string, Set<string>>();
  const files = globSync("{runtime,plugin,cli,test}/**/*.{ts,tsx}", { cwd: root });
  for (const file of files) {
    const code = readFileSync(join(root, file), "utf8");
    for (const [, still = "", lazy = ""] of code.matchAll(imports)) {
      const target = normalize(join(dirname(file), still || lazy));
      const known = importers.get(target) ?? new Set();
      importers.set(target, known.add(file));
    }
  }
  return {
    of(file) {
      const distances = new Map([[file, 0]]);
      // Entries that are added while the map is walked are walked, too.
      for (const [at, distance] of distances)
        for (const importer of importers.get(at) ?? [])
          if (!distances.has(importer)) distances.set(importer, distance + 1);
      return [...distances]
        .filter(([name]) => name.startsWith("test/unit/") && name.endsWith(".test.ts"))
        .map(([test, distance]) => ({ test, distance }));
    },
  };
}
