/** Texts up to this length are copied character by character; a call into native code costs more. */
const shortText = 128;
const wireBytes = 2;

/** Writes fields of protobuf messages into a buffer that grows. Field numbers are below 16, or a tag has two bytes. */
export class ProtoWriter {
  #bytes: Buffer;
  #at = 0;

  constructor(size = 65_536) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** A copy of what was written; the writer begins anew. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  varint(field: number, value: number): void {
    this.#room(20);
    this.#tag(field, 0);
    this.#varint(value);
  }

  /** A whole number that may be negative or over 32 bits. */
  int64(field: number, value: number): void {
    this.#room(20);
    this.#tag(field, 0);
    if (value >= 0 && value <= 0xffff_ffff) return this.#varint(value);
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      this.#bytes[this.#at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#at++] = Number(rest);
  }

  double(field: number, value: number): void {
    this.#room(16);
    this.#tag(field, 1);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  fixed32(field: number, value: number): void {
    this.#room(16);
    this.#tag(field, 5);
    this.#word(value);
  }

  fixed64(field: number, low: number, high: number): void {
    this.#room(16);
    this.#tag(field, 1);
    this.#word(low);
    this.#word(high);
  }

  text(field: number, text: string): void {
    const { length } = text;
    this.#room(3 * length + 20);
    this.#tag(field, wireBytes);
    if (length < shortText && this.#ascii(text)) return;
    this.#varint(Buffer.byteLength(text));
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** Bytes that are given as lower-case hex digits. */
  hex(field: number, digits: string): void {
    const size = digits.length >> 1;
    this.#room(size + 20);
    this.#tag(field, wireBytes);
    this.#varint(size);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < 2 * size; index += 2)
      bytes[at++] = (nibble(digits.charCodeAt(index)) << 4) | nibble(digits.charCodeAt(index + 1));
    this.#at = at;
  }

  /** Fields that were written before. */
  copy(fields: Uint8Array): void {
    this.#room(fields.length);
    this.#bytes.set(fields, this.#at);
    this.#at += fields.length;
  }

  /** Begins a message; what it returns goes to {@link end}. */
  begin(field: number): number {
    this.#room(20);
    this.#tag(field, wireBytes);
    // One byte for the length, as most messages need.
    return ++this.#at;
  }

  end(start: number): void {
    const length = this.#at - start;
    if (length < 0x80) {
      this.#bytes[start - 1] = length;
      return;
    }
    this.#room(8);
    const extra = length < 0x4000 ? 1 : length < 0x20_0000 ? 2 : length < 0x1000_0000 ? 3 : 4;
    this.#bytes.copyWithin(start + extra, start, this.#at);
    this.#at = start - 1;
    this.#varint(length);
    this.#at += length;
  }

  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    bytes[at++] = text.length;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      bytes[at++] = code;
    }
    this.#at = at;
    return true;
  }

  #tag(field: number, wire: number): void {
    this.#varint((field << 3) | wire);
  }

  #varint(value: number): void {
    const bytes = this.#bytes;
    let rest = value >>> 0;
    while (rest > 0x7f) {
      bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[this.#at++] = rest;
  }

  #word(value: number): void {
    const bytes = this.#bytes;
    bytes[this.#at++] = value;
    bytes[this.#at++] = value >>> 8;
    bytes[this.#at++] = value >>> 16;
    bytes[this.#at++] = value >>> 24;
  }

  #room(size: number): void {
    const needed = this.#at + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function nibble(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
