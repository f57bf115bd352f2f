import { readFileSync } from "node:fs";

/** The text of a file; undefined when it cannot be read. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The bytes of a file; undefined when it cannot be read. Faster than {@link readText} where no text is needed. */
export function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
