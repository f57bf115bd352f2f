/** Bytes of the smallest block, and of the largest. */
const smallestBlock = 4 * 1024;
const largestBlock = 64 * 1024;
/** Maximum declared length for which one block is reserved in advance. */
const mostReserved = 1024 * 1024;

/**
 * Collects the pieces of a body in blocks of memory. A list of pieces would cost 500 bytes for each piece: a body that
 * arrives byte by byte would fill the memory long before it reaches its limit. Except for the first few, the blocks
 * take at most an eighth more memory than the bytes themselves.
 */
export class ByteGatherer {
  readonly #full: Buffer[] = [];
  #block: Buffer;
  #used = 0;
  #size = 0;
  /** Bytes of all blocks. */
  #held: number;

  /**
   * Creates an empty gatherer.
   *
   * @param declared Number of bytes that the sender has announced, if known.
   */
  constructor(declared = 0) {
    const isKnown = declared > 0 && declared <= mostReserved;
    this.#block = Buffer.allocUnsafeSlow(isKnown ? declared : smallestBlock);
    this.#held = this.#block.length;
  }

  /** Appends a copy of `chunk`. */
  add(chunk: Uint8Array): void {
    const { byteLength } = chunk;
    this.#size += byteLength;
    for (let at = 0; at < byteLength;) {
      if (this.#used === this.#block.length) this.#openBlock();
      const end = Math.min(byteLength, at + this.#block.length - this.#used);
      this.#block.set(at === 0 && end === byteLength ? chunk : chunk.subarray(at, end), this.#used);
      this.#used += end - at;
      at = end;
    }
  }

  /** Returns all bytes in one piece. The gatherer must not be used after that. */
  whole(): Buffer {
    const last = this.#block.subarray(0, this.#used);
    if (this.#full.length > 0) return Buffer.concat([...this.#full, last], this.#size);
    // The bytes are copied if they fill less than half of the block: a small body that is held for long must not keep a
    // large block in memory.
    return 2 * this.#used < this.#block.length ? Buffer.from(last) : last;
  }

  #openBlock(): void {
    this.#full.push(this.#block);
    const size = Math.min(largestBlock, Math.max(smallestBlock, this.#held >> 3));
    this.#held += size;
    this.#block = Buffer.allocUnsafeSlow(size);
    this.#used = 0;
  }
}
