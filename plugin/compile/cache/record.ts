import { crc32 } from "node:zlib";

/** A cached module in parts, so that a build without changes can read the parts it needs without the rest. */
export interface CacheRecord {
  readonly name: string;
  /** A new id for each new record. */
  readonly id: string;
  /** JSON text, as bytes. */
  readonly head: Buffer;
  /** Source text of the module. */
  readonly source: Buffer;
  /**
   * Generated code, stored as plain bytes: it is the largest part that every build needs, and would be slow to read as
   * JSON.
   */
  readonly code: Buffer;
  /** JSON text, as bytes. */
  readonly body: Buffer;
}

/** A record in a file; check it before its content is used. */
export interface StoredRecord extends CacheRecord {
  /** The whole record, first line included. */
  readonly bytes: Buffer;
  /** True when the checksum matches. */
  isWhole(): boolean;
}

/** Matches the first line of a record: a checksum, and the lengths of the parts. */
const firstLine = /^tenon (\d{1,10})((?: \d{1,10}){6})$/;
const longestLine = 84;

/**
 * Encodes a record: a line with a checksum and the lengths of its parts, followed by the parts, which are not copied.
 */
export function encodeRecord({ name, id, head, source, code, body }: CacheRecord): readonly Buffer[] {
  const parts = [Buffer.from(name), Buffer.from(id), head, source, code, body];
  const sum = parts.reduce((before, part) => crc32(part, before), 0);
  const line = ["tenon", sum, ...parts.map(({ length }) => length)].join(" ");
  return [Buffer.from(`${line}\n`), ...parts];
}

/** The record at an offset; undefined when there is none, or a truncated one. */
export function decodeRecord(file: Buffer, start: number): StoredRecord | undefined {
  const line = file.toString("latin1", start, start + longestLine);
  const length = line.indexOf("\n");
  const [, sum, lengths = ""] = firstLine.exec(line.slice(0, Math.max(length, 0))) ?? [];
  if (sum === undefined) return undefined;
  const from = start + length + 1;
  let at = from;
  const parts = lengths
    .trim()
    .split(" ")
    .map((one) => file.subarray(at, (at += Number(one))));
  const [name, id, head, source, code, body] = parts;
  if (!name || !id || !head || !source || !code || !body || at > file.length) return undefined;
  const [content, bytes] = [file.subarray(from, at), file.subarray(start, at)];
  return {
    name: name.toString(),
    id: id.toString(),
    head,
    source,
    code,
    body,
    bytes,
    isWhole: () => crc32(content) === Number(sum),
  };
}
