import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "./usage.ts";

/**
 * The folder of the guides. It is searched for upwards, since this file is deeper in the built package than in the
 * sources.
 */
export function docsFolder(folder: string = dirname(fileURLToPath(import.meta.url))): string {
  const docs = join(folder, "docs");
  if (existsSync(join(docs, "diagnostics.md"))) return docs;
  if (dirname(folder) === folder) throw new CommandError("The package of tenon is incomplete: it has no docs.");
  return docsFolder(dirname(folder));
}
