import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  /** With forward slashes. */
  readonly path: string;
  readonly content: Uint8Array;
  /** True if systems may execute it. */
  readonly executable?: boolean;
}

/**
 * Date of all entries: the first of January 1980, the oldest in the format. With a fixed date, equal files give equal
 * archives.
 */
const date = 0x00_21;
/** Version 2.0 of the format, for a Unix system, which has file permissions. */
const version = 20;
const madeBy = (3 << 8) | version;
/** Flag for names in UTF-8. */
const flags = 0x08_00;
const deflated = 8;

/** Makes a zip archive; the same entries always give the same bytes. Entries of 4 GB and more are not supported. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, executable = false } of entries) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(version, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(deflated, 4);
    common.writeUInt16LE(date, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, name, packed]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(((executable ? 0o100755 : 0o100644) << 16) >>> 0, 6);
    end.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002"), uint16(madeBy), common, end, name);
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const last = Buffer.alloc(18);
  last.writeUInt16LE(entries.length, 4);
  last.writeUInt16LE(entries.length, 6);
  last.writeUInt32LE(index.length, 8);
  last.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, Buffer.from("PK\u0005\u0006"), last]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
