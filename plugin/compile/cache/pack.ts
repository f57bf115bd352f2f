import { existsSync, fstatSync, mkdirSync, promises, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBytes } from "../../read/base/read-text.ts";
import { type CacheRecord, decodeRecord, encodeRecord, type StoredRecord } from "./record.ts";
import { replaceFile } from "./replace-file.ts";

/** Records of one project in one file: one file per record would cost more than the rest of a build without changes. */
export interface Pack {
  /** Reads the file on another thread; until then, the first `get` reads it. */
  warm(): Promise<void>;
  /** The last record of a name, if it is intact. Records written since the pack was opened may be missing. */
  get(name: string): CacheRecord | undefined;
  /** Replaces the record of a name. The new record is on disk at the latest after the next `flush`. */
  put(record: CacheRecord): void;
  /** Writes new records. Records that cannot be written are left out. */
  flush(): void;
}

export interface PackPlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** Folder that must exist; if it does not, nothing is written. */
  readonly root: string;
  /** True for a record of another build that should be retained. */
  readonly isAlive: (name: string) => boolean;
}

/** Maximum number of records in a pack; beyond it, the oldest are dropped. */
const mostRecords = 5000;
/** Maximum size in bytes; a larger record is not stored. */
export const largestRecord = 2 ** 20;
/** Maximum bytes buffered in memory. */
const mostWaiting = 2 ** 21;
/** Maximum number of packs for other versions and options. */
const mostPacks = 20;

interface Contents {
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** Size in bytes of the last record of each name, including records that were appended later. */
  readonly sizes: Map<string, number>;
  /** Size in bytes of all records. */
  readonly size: number;
  /** True if the file contains damaged data, so that nothing after it can be found. */
  readonly isDamaged: boolean;
}

/**
 * Opens a pack. New records are appended with one call, so that concurrent builds keep each other's records. A killed
 * build may leave a truncated record, at which readers stop. If a file is damaged, or has more outdated than current
 * bytes, it is rewritten as a new file and renamed into place.
 */
export function openPack({ path, root, isAlive }: PackPlace): Pack {
  let contents: Contents | undefined;
  let spoilt = false;
  /**
   * Buffer of new records, one after the other. Each record is copied here at once, so that the memory of its parts can
   * be freed.
   */
  let block = Buffer.alloc(0);
  let filled = 0;
  /** Start and end in `block` of the last new record of each name. */
  const waiting = new Map<string, readonly [start: number, end: number]>();
  const read = (): Contents => (contents ??= decodeContents(readBytes(path)));

  function rewrite(): void {
    // The file is read again, since other builds may have written meanwhile.
    const all = new Map<string, StoredRecord>();
    for (const [name, record] of decodeContents(readBytes(path)).records)
      if (record.isWhole() && isAlive(name)) all.set(name, record);
    for (const name of waiting.keys()) {
      const record = waitingRecord(name);
      all.delete(name);
      if (record !== undefined) all.set(name, record);
    }
    const kept = [...all.values()].slice(-mostRecords);
    replaceFile(path, Buffer.concat(kept.map(({ bytes }) => bytes)));
    contents = undefined;
    spoilt = false;
  }

  /** Returns a copy of a record that is not on disk yet, since the buffer that contains the record is reused. */
  function waitingRecord(name: string): StoredRecord | undefined {
    const place = waiting.get(name);
    return place && decodeRecord(Buffer.from(block.subarray(...place)), 0);
  }

  /** Appends the records in `block` to the file. */
  function append(): void {
    const before = read();
    for (const [name, [start, end]] of waiting) before.sizes.set(name, end - start);
    const size = before.size + filled;
    try {
      if (!existsSync(path)) prepare(dirname(path));
      if (before.isDamaged || spoilt || size > 2 * sum(before.sizes.values())) rewrite();
      else {
        writeFileSync(path, block.subarray(0, filled), { flag: "a" });
        contents = { ...before, size };
      }
    } catch {
      // The error is ignored: a full or read-only disk only makes the next build slower.
    }
  }

  const pack: Pack = {
    async warm() {
      const file = await readAtOnce(path).catch(() => undefined);
      contents ??= decodeContents(file);
    },
    get(name) {
      const own = waitingRecord(name);
      if (own !== undefined) return own;
      const record = read().records.get(name);
      if (record === undefined || record.isWhole()) return record;
      spoilt = true;
      return undefined;
    },
    put(record) {
      const parts = encodeRecord(record);
      const size = sum(parts.map(({ length }) => length));
      if (size > largestRecord) return;
      if (filled + size > block.length) pack.flush();
      if (block.length === 0) block = Buffer.allocUnsafeSlow(mostWaiting);
      const start = filled;
      for (const part of parts) filled += part.copy(block, filled);
      waiting.set(record.name, [start, filled]);
    },
    flush() {
      if (waiting.size > 0 && existsSync(root)) append();
      waiting.clear();
      filled = 0;
    },
  };
  return pack;
}

/** Reads a file by one read on another thread; `readFile` makes one for every half of a megabyte. */
async function readAtOnce(path: string): Promise<Buffer> {
  const file = await promises.open(path);
  try {
    const { size } = fstatSync(file.fd);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Decodes a file; without one, there are no records. */
function decodeContents(file: Buffer = Buffer.alloc(0)): Contents {
  const records = new Map<string, StoredRecord>();
  const sizes = new Map<string, number>();
  let size = 0;
  for (let next = decodeRecord(file, 0); next !== undefined; next = decodeRecord(file, size)) {
    // A record is deleted before it is set again, so that the latest record comes last, also among those that a rewrite
    // retains.
    records.delete(next.name);
    records.set(next.name, next);
    sizes.set(next.name, next.bytes.length);
    size += next.bytes.length;
  }
  return { records, sizes, size, isDamaged: size < file.length };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** Name of the file with the verdicts on patterns, which are valid for every fingerprint. */
export const patternsFile = "patterns.json";

/** Creates the folder and removes old files. */
function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const dated = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  // Removes leftovers of killed builds, and of versions that wrote a file for each module.
  const hourAgo = Date.now() - 3_600_000;
  const left = dated.filter(
    ({ path, time }) =>
      (path.endsWith(".json") && !path.endsWith(patternsFile)) || (path.endsWith(".tmp") && time < hourAgo),
  );
  const packs = dated.filter(({ path }) => path.endsWith(".pack")).toSorted((a, b) => b.time - a.time);
  for (const { path } of [...left, ...packs.slice(mostPacks - 1)]) rmSync(path, { force: true });
}
