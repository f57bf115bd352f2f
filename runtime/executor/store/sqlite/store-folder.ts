import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError, systemReason } from "../../../base/system-reason.ts";
import { StoreError } from "../store-error.ts";

/**
 * Creates a folder that only its owner may read, if it does not exist. Throws a `StoreError` with the reason when it
 * cannot.
 */
export function makeStoreFolder(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isFile() === true) {
      throw new StoreError(`${folder} is a file, where a folder is needed. Give another folder.`);
    }
    makeFolder(folder, 0o700);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`The folder ${folder} cannot be made: ${systemReason(error)}.`, { cause: error });
  }
}

/**
 * Creates a folder and its parents like `mkdir -p`. Node's own function never returns for a folder below /proc, since
 * each attempt reports that the parent is missing.
 */
export function makeFolder(folder: string, mode?: number): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!isSystemError(error) || error.code !== "EEXIST") throw error;
  }
}
