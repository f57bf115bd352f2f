import { readFile } from "node:fs/promises";

/** Reads a file beside the module.
 * @tool */
export async function readAsset(): Promise<string> {
  return (await readFile(new URL("./asset.txt", import.meta.url), "utf8")).trim();
}
