import { createHash } from "node:crypto";
import { appendFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { valuesOf, type Cell } from "./ways.ts";

const file = "node_modules/.cache/ways.txt";

/** Green cells of the whole product that outlive a run of hours which is ended, while package and promises stay. */
export function keptResults(): { readonly has: (cell: Cell) => boolean; readonly add: (cell: Cell) => void } {
  const hash = createHash("sha256");
  for (const path of globSync(["dist/**/*.js", "README.md", "docs/bundlers.md", "test/promises/**/*.*"]).toSorted())
    hash.update(readFileSync(path));
  const key = hash.digest("hex");
  const [first, ...lines] = read().split("\n");
  if (first !== key) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${key}\n`);
  }
  const known = new Set(first === key ? lines : []);
  const nameOf = ({ way, promise, setting }: Cell): string => [promise, ...valuesOf(way), setting].join(" | ");
  return { has: (cell) => known.has(nameOf(cell)), add: (cell) => appendFileSync(file, `${nameOf(cell)}\n`) };
}

function read(): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
