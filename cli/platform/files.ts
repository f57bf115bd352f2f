import { closeSync, constants, openSync, readFileSync, statSync } from "node:fs";
import { CommandError } from "../base/usage.ts";

// `O_NONBLOCK` gets a default, since it does not exist on Windows.
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/** Reads a file that is named on the command line. Throws a `CommandError` with the reason. */
export function readNamedFile(file: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Throws for a path that is not a readable file, with a hint. */
export function checkFile(file: string, hint = ""): void {
  try {
    closeSync(openSync(file, "r"));
    if (statSync(file).isFile()) return;
  } catch (error) {
    throw unreadable(file, error, hint);
  }
  throw new CommandError(`${file} is not a file.`);
}

/** Throws if a file cannot be written, before any work is done. A missing file is created. */
export function checkWritable(file: string): void {
  try {
    // `O_NONBLOCK` prevents that opening a pipe without a reader waits for ever.
    closeSync(openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600));
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${reasonOf(error)}. Name another file.`);
  }
}

function unreadable(file: string, error: unknown, hint = ""): CommandError {
  const text = codeOf(error) === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read: ${reasonOf(error)}.`;
  return new CommandError(hint === "" ? text : `${text} ${hint}`);
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return "its folder does not exist";
    case "ENXIO":
      return "nobody reads from this pipe";
    case "EISDIR":
      return "it is a folder";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "this process may not do that";
    default:
      return (error as Error).message;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
