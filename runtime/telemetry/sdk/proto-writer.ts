/** Texts up to this length are copied character by character; a call into native code costs more. */
const shortText = 128;
/** Bytes up to this number are copied one by one, for the same reason. */
const shortCopy = 64;
const wireBytes = 2;

/** Writes fields of protobuf messages into a growing buffer. Tags of field numbers from 16 on have two bytes. */
export class ProtoWriter {
  #bytes: Buffer;
  #at = 0;

  constructor(size = 65_536) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Returns a copy of the written bytes and resets the writer. */
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

  /** Writes bytes given as lower-case hex digits. */
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

  /** Writes a part of `source`. */
  bytes(field: number, source: Uint8Array, from: number, size: number): void {
    this.#room(size + 20);
    this.#tag(field, wireBytes);
    this.#varint(size);
    this.#copy(source, from, size);
  }

  /** Copies encoded fields. */
  copy(fields: Uint8Array): void {
    this.#room(fields.length);
    this.#copy(fields, 0, fields.length);
  }

  /**
   * Begins a message; pass the returned value to {@link end}. `sizeOfLength`: expected bytes of its length. A message
   * whose length needs another number of bytes is moved.
   */
  begin(field: number, sizeOfLength = 1): number {
    this.#room(20);
    this.#tag(field, wireBytes);
    return (this.#at += sizeOfLength);
  }

  end(start: number, sizeOfLength = 1): void {
    const length = this.#at - start;
    const needed = sizeOfVarint(length);
    if (needed !== sizeOfLength) {
      this.#room(8);
      this.#bytes.copyWithin(start + needed - sizeOfLength, start, this.#at);
    }
    this.#at = start - sizeOfLength;
    this.#varint(length);
    this.#at += length;
  }

  #copy(source: Uint8Array, from: number, size: number): void {
    const bytes = this.#bytes;
    const at = this.#at;
    if (size > shortCopy) bytes.set(source.subarray(from, from + size), at);
    else for (let index = 0; index < size; index++) bytes[at + index] = source[from + index] ?? 0;
    this.#at = at + size;
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

function sizeOfVarint(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}

function nibble(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
