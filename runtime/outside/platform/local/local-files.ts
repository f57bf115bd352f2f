import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

// Matches plain file names on every system: no separators, no leading dot, no colons.
const plainName = /^[A-Za-z0-9_][\w.-]{0,127}$/;

/** The file of an id in a folder; undefined for an id that is not a plain file name. */
export function fileOf(folder: string, id: string, extension = ""): string | undefined {
  return plainName.test(id) ? join(folder, `${id}${extension}`) : undefined;
}

/** Writes JSON atomically: readers see the old file or the new one. */
export async function writeJson(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(content, undefined, 2)}\n`);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Reads a JSON object from a file; undefined when it does not exist or is not a JSON object. */
export async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof content === "object" && content !== null ? (content as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
