/** Bytes of one segment; segments are made when they are needed and reused when everything in them has gone. */
const segmentBytes = 4 * 1024 * 1024;

export interface AnswerRingOptions {
  /** Entries that are kept; the oldest goes first. */
  readonly maxEntries: number;
  /** Bytes that all entries may have together; default 256 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds; any clock that never goes back. */
  readonly now: () => number;
}

/**
 * Entries by key, first in first out, bounded by count, bytes and time. Keys and values lie outside the
 * garbage-collected heap: ten thousand finished jobs as objects would cost every request of the process 40 % in
 * garbage collection.
 */
export class AnswerRing {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** Slots of entries, used round and round. `#next` chains the slots of one bucket. */
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #hashes: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #keyBytes: Uint16Array;
  readonly #valueBytes: Uint32Array;
  readonly #expires: Float64Array;
  readonly #segments: (Segment | undefined)[];
  /** Callers choose keys: with a seed of its own nobody can choose such as all fall into one bucket. */
  readonly #seed: number = Math.trunc(Math.random() * 0x7fffffff);
  #oldest = 0;
  #size = 0;
  #bytes = 0;
  #tail: Segment | undefined;
  #spare: Segment | undefined;

  constructor({ maxEntries, maxBytes = 256 * 1024 * 1024, now }: AnswerRingOptions) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#now = now;
    const slots = Math.max(1, maxEntries);
    this.#heads = new Int32Array(2 ** Math.ceil(Math.log2(slots + 1))).fill(-1);
    this.#next = new Int32Array(slots);
    this.#hashes = new Uint32Array(slots);
    this.#offsets = new Uint32Array(slots);
    this.#keyBytes = new Uint16Array(slots);
    this.#valueBytes = new Uint32Array(slots);
    this.#expires = new Float64Array(slots);
    this.#segments = Array.from({ length: slots });
  }

  get size(): number {
    return this.#size;
  }

  /** Keeps `parts`, one after the other, under a key that is not there yet, for `ttl` milliseconds. */
  put(key: string, parts: readonly Uint8Array[], ttl: number): void {
    const keyBytes = Buffer.byteLength(key);
    const valueBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const bytes = keyBytes + valueBytes;
    if (this.#maxEntries === 0 || bytes > this.#maxBytes || keyBytes > 0xffff) return;
    this.dropExpired();
    while (this.#size >= this.#maxEntries || this.#bytes + bytes > this.#maxBytes) this.#dropOldest();
    const segment = this.#segmentFor(bytes);
    const slot = (this.#oldest + this.#size) % this.#maxEntries;
    const hash = hashOf(key, this.#seed);
    this.#segments[slot] = segment;
    this.#offsets[slot] = segment.used;
    this.#keyBytes[slot] = keyBytes;
    this.#valueBytes[slot] = valueBytes;
    this.#expires[slot] = this.#now() + ttl;
    this.#hashes[slot] = hash;
    const bucket = hash & (this.#heads.length - 1);
    this.#next[slot] = this.#heads[bucket] ?? -1;
    this.#heads[bucket] = slot;
    segment.buffer.write(key, segment.used);
    let at = segment.used + keyBytes;
    for (const part of parts) {
      segment.buffer.set(part, at);
      at += part.byteLength;
    }
    segment.used = at;
    segment.entries++;
    this.#size++;
    this.#bytes += bytes;
  }

  /** A copy of the value; undefined when it is unknown or has expired. */
  get(key: string): Buffer | undefined {
    const slot = this.#find(key);
    const segment = slot < 0 ? undefined : this.#segments[slot];
    if (segment === undefined || (this.#expires[slot] ?? 0) <= this.#now()) return undefined;
    const start = (this.#offsets[slot] ?? 0) + (this.#keyBytes[slot] ?? 0);
    return Buffer.from(segment.buffer.subarray(start, start + (this.#valueBytes[slot] ?? 0)));
  }

  /** Drops what has expired, as far as it is also the oldest. */
  dropExpired(): void {
    const now = this.#now();
    while (this.#size > 0 && (this.#expires[this.#oldest] ?? 0) <= now) this.#dropOldest();
  }

  #find(key: string): number {
    const hash = hashOf(key, this.#seed);
    let slot = this.#heads[hash & (this.#heads.length - 1)] ?? -1;
    while (slot >= 0) {
      if (this.#hashes[slot] === hash && this.#keyAt(slot) === key) return slot;
      slot = this.#next[slot] ?? -1;
    }
    return -1;
  }

  #keyAt(slot: number): string | undefined {
    const start = this.#offsets[slot] ?? 0;
    return this.#segments[slot]?.buffer.toString("utf8", start, start + (this.#keyBytes[slot] ?? 0));
  }

  #dropOldest(): void {
    const slot = this.#oldest;
    const bucket = (this.#hashes[slot] ?? 0) & (this.#heads.length - 1);
    if (this.#heads[bucket] === slot) this.#heads[bucket] = this.#next[slot] ?? -1;
    else {
      let before = this.#heads[bucket] ?? -1;
      while (before >= 0 && this.#next[before] !== slot) before = this.#next[before] ?? -1;
      if (before >= 0) this.#next[before] = this.#next[slot] ?? -1;
    }
    const segment = this.#segments[slot];
    this.#segments[slot] = undefined;
    this.#bytes -= (this.#keyBytes[slot] ?? 0) + (this.#valueBytes[slot] ?? 0);
    this.#oldest = (slot + 1) % this.#maxEntries;
    this.#size--;
    if (segment === undefined || --segment.entries > 0) return;
    segment.used = 0;
    if (segment !== this.#tail && segment.buffer.length === segmentBytes) this.#spare = segment;
  }

  /** The segment that has room; an entry that is too large for one gets its own. */
  #segmentFor(bytes: number): Segment {
    if (bytes > segmentBytes / 4) return { buffer: Buffer.allocUnsafeSlow(bytes), used: 0, entries: 0 };
    if (this.#tail !== undefined && this.#tail.used + bytes <= segmentBytes) return this.#tail;
    this.#tail = this.#spare ?? { buffer: Buffer.allocUnsafeSlow(segmentBytes), used: 0, entries: 0 };
    this.#spare = undefined;
    return this.#tail;
  }
}

interface Segment {
  readonly buffer: Buffer;
  used: number;
  entries: number;
}

/** FNV-1a with a seed. */
function hashOf(key: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
