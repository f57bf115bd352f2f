import { readFileSync } from "node:fs";

/** The version of this package, whether it runs from `dist/cli` or from the sources. */
export function packageVersion(): string {
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      return (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as { version: string }).version;
    } catch {
      // The other place has it.
    }
  }
  return "0.0.0";
}
