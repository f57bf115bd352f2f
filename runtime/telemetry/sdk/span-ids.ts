import { randomBytes } from "node:crypto";

/** Draws random ids: 16 bytes of a trace, behind them 8 of a span, neither all zero. */
export interface SpanIds {
  /** Holds what was drawn last, and is never written to again. */
  readonly bytes: Buffer;
  /** Where in `bytes` the drawn ids begin. */
  draw(): number;
}

/** Bytes of the id of a trace, and of both. */
export const [traceIdSize, idsSize] = [16, 24];

/** Bytes that are drawn at once: a draw costs more than what is drawn. */
const poolSize = 341 * idsSize;

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
