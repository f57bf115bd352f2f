import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "./usage.ts";

/** Writes a file that the user has requested, such as the result of a call with `-o FILE`. Throws a `CommandError`. */
export function writeResult(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
}

/** Writes a file of a project, and makes its folder. Throws a `CommandError`. */
export function writeProjectFile(file: string, text: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new CommandError(`${folder} cannot be made (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
  writeResult(file, text);
}
