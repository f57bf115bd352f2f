import { randomBytes } from "node:crypto";

/** Draws random ids: 16 bytes for a trace, followed by 8 for a span, neither all zero. */
export interface SpanIds {
  /** The current pool; a filled pool is never written again. */
  readonly bytes: Buffer;
  /** Returns the offset of the drawn ids in `bytes`. */
  draw(): number;
}

/** Size in bytes of a trace id, and of both ids. */
export const [traceIdSize, idsSize] = [16, 24];

/** Bytes that are drawn at once: a system call costs more than its bytes. */
const poolSize = 341 * idsSize;

/** Creates a source of random ids. */
export function createSpanIds(): SpanIds {
  let bytes = Buffer.alloc(0);
  let next = 0;
  return {
    get bytes() {
      return bytes;
    },
    draw() {
      for (;;) {
        if (next + idsSize > bytes.length) {
          bytes = randomBytes(poolSize);
          next = 0;
        }
        const at = next;
        next += idsSize;
        if (!isZero(bytes, at, at + traceIdSize) && !isZero(bytes, at + traceIdSize, next)) return at;
      }
    },
  };
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false;
  return true;
}
