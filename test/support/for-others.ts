import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/**
 * Path under which every user of this machine reaches a program or a folder of programs: the same one, or that of a
 * copy in the temporary folder where the repository is in a folder that nobody else may enter, such as `/root`.
 */
export function forOthers(path: string): string {
  const real = realpathSync(path);
  if (isOpen(dirname(real))) return path;
  if (!isOpen(tmpdir()))
    throw new Error(
      `A test starts ${basename(path)} as another user, who may enter neither ${dirname(real)} nor ${tmpdir()}. ` +
        "Run the tests as another user than root, or name a temporary folder that all users may read: TMPDIR=/tmp.",
    );
  const key = createHash("sha256")
    .update(`${real} ${statSync(real).mtimeMs}`)
    .digest("hex")
    .slice(0, 16);
  const parent = join(tmpdir(), `tenon-for-others-${key}`);
  const copy = join(parent, basename(real));
  if (existsSync(copy)) return copy;
  mkdirSync(parent, { recursive: true });
  // Other workers may make it at the same time, and none may start a file that is still being written.
  const own = mkdtempSync(join(tmpdir(), "tenon-copy-"));
  const made = join(own, basename(real));
  cpSync(real, made, { recursive: true, verbatimSymlinks: true });
  chmodSync(parent, 0o755);
  try {
    renameSync(made, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return copy;
}

/** True when every user may enter the folder. */
function isOpen(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return dirname(folder) === folder || isOpen(dirname(folder));
}
