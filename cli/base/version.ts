import { readFileSync } from "node:fs";

/** The version of this package, whether it runs from `dist/cli` or from the sources. */
export function packageVersion(): string {
  return readPackage().version;
}

/** The oldest version of Node that this package runs on, for example `22.19`. */
export function oldestNode(): string {
  return readPackage().engines.node.replace(">=", "");
}

/** True if a version of Node is `oldest` or later; both like `22.19.0`, and `oldest` with any number of parts. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [ours, theirs] = [version, oldest].map((one) => one.split(".").map(Number));
  const different = theirs?.findIndex((part, index) => part !== ours?.[index]) ?? -1;
  return different < 0 || (ours?.[different] ?? 0) > (theirs?.[different] ?? 0);
}

interface PackageJson {
  readonly version: string;
  readonly engines: { readonly node: string };
}

function readPackage(): PackageJson {
  for (const path of ["../../package.json", "../../../package.json"]) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as PackageJson;
    } catch {
      // package.json is not in this folder, but in the next candidate.
    }
  }
  return { version: "0.0.0", engines: { node: ">=0" } };
}
