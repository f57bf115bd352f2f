import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder of skills beside the entry of a service, whether it exists or not, and all folders in it: a new skill has
 * no file yet that could be watched.
 *
 * @param entry Absolute path of the entry.
 */
export function skillFolders(entry: string): ReadonlySet<string> {
  const all = join(dirname(entry), "skills");
  return new Set([all, ...foldersIn(all)]);
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((one) => one.isDirectory())
      .map((one) => join(one.parentPath, one.name))
      .filter((path) => !/[\\/]\./.test(path.slice(folder.length)));
  } catch {
    // The folder does not exist, since most services have no skills.
    return [];
  }
}
