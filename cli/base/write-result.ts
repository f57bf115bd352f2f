import { writeFileSync } from "node:fs";
import { CommandError } from "./usage.ts";

/** Writes the result of a call into the file that `-o` names. Throws a `CommandError`. */
export function writeResult(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
}
