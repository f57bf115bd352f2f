import { writeFileSync } from "node:fs";
import { CommandError } from "./usage.ts";

/** Writes a file that the user has requested, such as the result of a call with `-o FILE`. Throws a `CommandError`. */
export function writeResult(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
}
