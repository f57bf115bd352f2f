interface Entry<T> {
  readonly value: T;
  readonly at: number;
  /** Number of the entry: of entries with the same time, the one that was added first comes first. */
  readonly nth: number;
  /** Position in the heap. */
  index: number;
}

/** Values, each with the time at which it is due. A binary heap: a change costs the logarithm of their number. */
export class DueTimes<T> {
  readonly #heap: Entry<T>[] = [];
  readonly #entries = new Map<T, Entry<T>>();
  #added = 0;

  /** Time at which the first value is due; `Infinity` if there is none. */
  get next(): number {
    return this.#heap[0]?.at ?? Infinity;
  }

  get values(): Iterable<T> {
    return this.#entries.keys();
  }

  /** Time at which a value is due; undefined for an unknown value. */
  of(value: T): number | undefined {
    return this.#entries.get(value)?.at;
  }

  /** Adds a value, or changes its time. */
  set(value: T, at: number): void {
    if (this.of(value) === at) return;
    this.delete(value);
    const entry = { value, at, nth: this.#added++, index: this.#heap.length };
    this.#entries.set(value, entry);
    this.#rise(entry);
  }

  delete(value: T): void {
    const entry = this.#entries.get(value);
    if (entry === undefined) return;
    this.#entries.delete(value);
    const last = this.#heap.pop();
    if (last === undefined || last === entry) return;
    last.index = entry.index;
    this.#rise(last);
    this.#sink(last);
  }

  /** Removes and returns the values that are due by a time, the first one first. */
  *due(by: number): Generator<T, void, undefined> {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || first.at > by) return;
      this.delete(first.value);
      yield first.value;
    }
  }

  /** Moves an entry towards the root, until the one above it is due before it. */
  #rise(entry: Entry<T>): void {
    for (;;) {
      const above = entry.index === 0 ? undefined : this.#heap[(entry.index - 1) >> 1];
      if (above === undefined || isBefore(above, entry)) break;
      this.#put(above, entry);
    }
    this.#heap[entry.index] = entry;
  }

  /** Moves an entry away from the root, until those below it are due after it. */
  #sink(entry: Entry<T>): void {
    for (;;) {
      const [left, right] = [this.#heap[2 * entry.index + 1], this.#heap[2 * entry.index + 2]];
      const below = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (below === undefined || isBefore(entry, below)) break;
      this.#put(below, entry);
    }
    this.#heap[entry.index] = entry;
  }

  /** Moves an entry to the position of another one, which gets its position in return. */
  #put(moved: Entry<T>, other: Entry<T>): void {
    [moved.index, other.index] = [other.index, moved.index];
    this.#heap[moved.index] = moved;
  }
}

function isBefore<T>(one: Entry<T>, other: Entry<T>): boolean {
  return one.at < other.at || (one.at === other.at && one.nth < other.nth);
}
