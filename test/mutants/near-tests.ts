/** Finds the unit tests that load a source file, and what tests load, by the imports in their texts. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The tests of the project. */
export interface NearTests {
  /** Answers with the unit tests that load a file, the nearest first, and by how many imports. */
  of(file: string): readonly { readonly test: string; readonly distance: number }[];
  /** A hash of the texts of these tests, or of tests in these folders, and of what they load from `test`. */
  digest(tests: readonly string[]): string;
}

const imports = /(?:^|\n)\s*(?:import|export)\s(?!type\s)[^"';]*?from\s*"(\.[^"]+)"|import\s*\(\s*"(\.[^"]+)"/g;

/** Reads the imports of all sources and unit tests of the project in `root`. */
export function readNearTests(root: string): NearTests {
  const codes = new Map<string, string>();
  const loaded = new Map<string, Set<string>>();
  const importers = new Map<string, Set<string>>();
  for (const file of globSync("{runtime,plugin,cli,test}/**/*.{ts,tsx}", { cwd: root }).toSorted()) {
    const code = readFileSync(join(root, file), "utf8");
    if (file.startsWith("test/")) codes.set(file, code);
    for (const [, still = "", lazy = ""] of code.matchAll(imports)) {
      const target = normalize(join(dirname(file), still || lazy));
      link(importers, target, file);
      link(loaded, file, target);
    }
  }
  return {
    of(file) {
      return [...reached(file, importers)]
        .filter(([name]) => name.startsWith("test/unit/") && name.endsWith(".test.ts"))
        .map(([test, distance]) => ({ test, distance }));
    },
    digest(tests) {
      const begun = [...codes.keys()].filter((file) =>
        tests.some((test) => file === test || file.startsWith(`${test}/`)),
      );
      const read = new Set(begun.flatMap((file) => [...reached(file, loaded).keys()]));
      const hash = createHash("sha256");
      for (const [file, code] of codes) if (read.has(file)) hash.update(`${file}\n${code}\n`);
      return hash.digest("hex").slice(0, 16);
    },
  };
}

function link(links: Map<string, Set<string>>, from: string, to: string): void {
  links.set(from, (links.get(from) ?? new Set()).add(to));
}

/** The files that links lead to from a file, the nearest first, and over how many. */
function reached(file: string, links: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]]);
  // Entries that are added while the map is walked are walked, too.
  for (const [at, distance] of distances)
    for (const next of links.get(at) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}
