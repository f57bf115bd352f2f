import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
/** Bytes; a run of all tests takes 0.7 GB at most. */
const enough = 4 * 2 ** 30;

/**
 * Puts the temporary folders of this run into memory, where the system has room there: tests make and remove tens of
 * thousands of files. A folder that the user has chosen stays.
 */
export function temporaryInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(join(memory, "tenon-tests-"));
  // Some tests start processes of other users.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough;
  } catch {
    return false;
  }
}
