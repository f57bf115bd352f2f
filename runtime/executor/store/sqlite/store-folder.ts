import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
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

/** True for an error of a system call. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}

/** Returns the system's reason for refusing a file or a folder. */
export function systemReason(error: unknown): string {
  if (!isSystemError(error)) return String(error);
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return "this process may not write there";
    case "ENOENT":
      return "a folder of its path cannot be made";
    case "EROFS":
      return "the file system is read-only";
    case "ENOTDIR":
    case "EEXIST":
      return "a part of its path is not a directory";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "ENAMETOOLONG":
      return "the name is too long";
    default:
      return error.message;
  }
}
