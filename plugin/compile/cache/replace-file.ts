import { renameSync, rmSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";

/**
 * Writes a new file and renames it into place, so that concurrent readers see the old or the new file.
 * @throws when the file system refuses
 */
export function replaceFile(path: string, content: Buffer | string): void {
  // The thread is in the name, since workers of one process may write at the same time.
  const temporary = `${path}.${process.pid}-${threadId}-${performance.now()}.tmp`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
