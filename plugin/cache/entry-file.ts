import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { crc32 } from "node:zlib";

/** A file of the cache in three parts, so that what a build without changes needs is read without the rest. */
export interface EntryParts {
  /** JSON. */
  readonly head: string;
  /** Generated code, as it is: most of what every build needs, and slow to read as JSON. */
  readonly code: Buffer;
  /** JSON. */
  readonly body: string;
}

/** The same parts as they are read; the body stays bytes until somebody asks for it. */
export interface ReadParts extends Pick<EntryParts, "head" | "code"> {
  readonly body: () => string;
}

/** Reads an entry; undefined for one that is absent, cut off or spoilt. */
export function readEntryFile(path: string): ReadParts | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const end = bytes.indexOf("\n");
  const [sum = "", head = 0, code = 0, body = 0] = bytes.toString("latin1", 0, end).split(" ").map(Number);
  const content = bytes.subarray(end + 1);
  if (end < 0 || content.length !== head + code + body || crc32(content) !== sum) return undefined;
  return {
    head: content.toString("utf8", 0, head),
    code: content.subarray(head, head + code),
    body: () => content.toString("utf8", head + code),
  };
}

/** Writes an entry beside its place and renames it into it. False when nothing can be written there. */
export function writeEntryFile(path: string, { head, code, body }: EntryParts): boolean {
  const parts = [Buffer.from(head), code, Buffer.from(body)];
  const content = Buffer.concat(parts);
  const first = [crc32(content), ...parts.map(({ length }) => length)].join(" ");
  // Workers of one process may write at once as well.
  const temporary = `${path}.${process.pid}-${threadId}-${performance.now()}.tmp`;
  try {
    writeFileSync(temporary, Buffer.concat([Buffer.from(`${first}\n`), content]));
    renameSync(temporary, path);
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
  }
}
