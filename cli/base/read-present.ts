import { readFileSync } from "node:fs";
import { CommandError } from "./usage.ts";

/** Reads a file that may not exist yet: undefined without it. Throws a `CommandError` if it cannot be read. */
export function readPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandError(`${file} cannot be read (${code}).`);
  }
}
