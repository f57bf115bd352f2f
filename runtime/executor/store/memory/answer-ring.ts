export interface AnswerRingOptions {
  /** Maximum number of entries; the oldest is dropped first. */
  readonly maxEntries: number;
  /** Maximum bytes of all entries; default 64 MiB. */
  readonly maxBytes?: number;
  /** Returns the milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** A value with its key. */
export interface Entry {
  readonly key: string;
  readonly value: Buffer;
  /** Bytes of key and value. */
  readonly bytes: number;
  readonly expires: number;
}

/** Entries by key, dropped in the order in which they were added; their number, bytes and age are limited. */
export class AnswerRing {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /**
   * Iterator that points behind the oldest entry. A new iterator would have to pass all deleted entries: with 10,000
   * entries, each new one would then cost 11.6 µs of processor time, in place of 1.8 µs (November 2026).
   */
  #iterator: Iterator<Entry> | undefined;
  #oldest: Entry | undefined;
  #bytes = 0;

  constructor({ maxEntries, maxBytes = 64 * 1024 * 1024, now }: AnswerRingOptions) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Bytes of all keys and values. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Stores `parts`, concatenated, under a key for `ttl` milliseconds. */
  put(key: string, parts: readonly Uint8Array[], ttl: number): void {
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const bytes = Buffer.byteLength(key) + length;
    if (this.#maxEntries === 0 || bytes > this.#maxBytes) return;
    this.dropExpired();
    while (this.size >= this.#maxEntries || this.#bytes + bytes > this.#maxBytes) this.dropOldest();
    // The expired entry of this key is dropped first: the new entry is then the newest.
    this.#drop(this.#entries.get(key));
    this.#entries.set(key, { key, value: Buffer.concat(parts, length), bytes, expires: this.#now() + ttl });
    this.#bytes += bytes;
  }

  /** A copy of the value; undefined when it is unknown or has expired. */
  get(key: string): Buffer | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.expires <= this.#now() ? undefined : Buffer.from(entry.value);
  }

  /** Entries from the oldest on, expired ones among them. */
  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Drops expired entries from the oldest on, until one has not expired. */
  dropExpired(): void {
    const now = this.#now();
    while ((this.#first()?.expires ?? Number.POSITIVE_INFINITY) <= now) this.dropOldest();
  }

  dropOldest(): void {
    this.#drop(this.#first());
  }

  #first(): Entry | undefined {
    if (this.#oldest !== undefined || this.size === 0) return this.#oldest;
    this.#iterator ??= this.#entries.values();
    this.#oldest = this.#iterator.next().value as Entry | undefined;
    return this.#oldest;
  }

  #drop(entry: Entry | undefined): void {
    if (entry === undefined) return;
    if (entry === this.#oldest) this.#oldest = undefined;
    this.#entries.delete(entry.key);
    this.#bytes -= entry.bytes;
    // An exhausted iterator is replaced, since it does not see new entries.
    if (this.size === 0) this.#iterator = undefined;
  }
}
