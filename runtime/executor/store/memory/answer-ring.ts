/** Bytes of one segment. Segments are created on demand, and reused when all their entries have been dropped. */
const segmentBytes = 4 * 1024 * 1024;

export interface AnswerRingOptions {
  /** Maximum number of entries; the oldest is dropped first. */
  readonly maxEntries: number;
  /** Maximum bytes of all entries; default 256 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface Segment {
  readonly buffer: Buffer;
  used: number;
  entries: number;
}

/** A value: bytes of a segment. */
export interface Entry {
  readonly key: string;
  readonly segment: Segment;
  readonly start: number;
  readonly end: number;
  /** Bytes of key and value. */
  readonly bytes: number;
  readonly expires: number;
}

/**
 * Entries by key, first in first out, bounded by count, bytes and time. Values are outside the garbage-collected heap,
 * many in one buffer: writing and collecting a buffer for each would cost three times as much.
 */
export class AnswerRing {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /**
   * A circular buffer. The map has the same order, but reading its first entry would pass all deleted ones each time.
   */
  readonly #ring: (Entry | undefined)[] = [];
  #oldest = 0;
  #size = 0;
  #bytes = 0;
  #tail: Segment | undefined;
  #spare: Segment | undefined;

  constructor({ maxEntries, maxBytes = 256 * 1024 * 1024, now }: AnswerRingOptions) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  get size(): number {
    return this.#size;
  }

  /** Bytes of all keys and values. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Stores `parts`, concatenated, under a new key for `ttl` milliseconds. */
  put(key: string, parts: readonly Uint8Array[], ttl: number): void {
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const bytes = Buffer.byteLength(key) + length;
    if (this.#maxEntries === 0 || bytes > this.#maxBytes) return;
    this.dropExpired();
    while (this.#size >= this.#maxEntries || this.#bytes + bytes > this.#maxBytes) this.dropOldest();
    const segment = this.#segmentFor(length);
    const start = segment.used;
    for (const part of parts) {
      segment.buffer.set(part, segment.used);
      segment.used += part.byteLength;
    }
    segment.entries++;
    const entry = { key, segment, start, end: segment.used, bytes, expires: this.#now() + ttl };
    this.#ring[(this.#oldest + this.#size) % this.#maxEntries] = entry;
    this.#entries.set(key, entry);
    this.#size++;
    this.#bytes += bytes;
  }

  /** A copy of the value; undefined when it is unknown or has expired. */
  get(key: string): Buffer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expires <= this.#now()) return undefined;
    return Buffer.from(entry.segment.buffer.subarray(entry.start, entry.end));
  }

  /** Entries in the order in which their keys came first, expired ones among them; valid until the next `put`. */
  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Drops expired entries from the oldest on, until one has not expired. */
  dropExpired(): void {
    const now = this.#now();
    while (this.#size > 0 && (this.#ring[this.#oldest]?.expires ?? 0) <= now) this.dropOldest();
  }

  dropOldest(): void {
    const entry = this.#ring[this.#oldest];
    if (entry === undefined) return;
    const { key, segment, bytes } = entry;
    // A key can be stored again after its entry has expired.
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    this.#ring[this.#oldest] = undefined;
    this.#oldest = (this.#oldest + 1) % this.#maxEntries;
    this.#size--;
    this.#bytes -= bytes;
    if (--segment.entries > 0) return;
    segment.used = 0;
    if (segment !== this.#tail && segment.buffer.length === segmentBytes) this.#spare = segment;
  }

  /** The segment with enough room; an entry that is too large for a segment gets its own. */
  #segmentFor(bytes: number): Segment {
    if (bytes > segmentBytes / 4) return { buffer: Buffer.allocUnsafeSlow(bytes), used: 0, entries: 0 };
    if (this.#tail !== undefined && this.#tail.used + bytes <= segmentBytes) return this.#tail;
    this.#tail = this.#spare ?? { buffer: Buffer.allocUnsafeSlow(segmentBytes), used: 0, entries: 0 };
    this.#spare = undefined;
    return this.#tail;
  }
}
