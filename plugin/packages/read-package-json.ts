import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The parsed package.json of a folder; an empty object when it is missing or not an object. */
export function readPackageJson(root: string): { readonly [key: string]: unknown } {
  try {
    const json: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return typeof json === "object" && json !== null ? { ...json } : {};
  } catch {
    return {};
  }
}
