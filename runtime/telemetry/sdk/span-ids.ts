import { randomBytes } from "node:crypto";

/** Makes random ids of traces and spans, in lower-case hex digits; never all zero. */
export interface SpanIds {
  traceId(): string;
  spanId(): string;
}

/** Bytes that are drawn at once: a draw costs more than what is drawn. */
const poolBytes = 8192;

export function createSpanIds(): SpanIds {
  let digits = "";
  let at = 0;
  const take = (length: number): string => {
    if (at + length > digits.length) {
      digits = randomBytes(poolBytes).toString("hex");
      at = 0;
    }
    const id = digits.slice(at, at + length);
    at += length;
    return /^0+$/.test(id) ? take(length) : id;
  };
  return { traceId: () => take(32), spanId: () => take(16) };
}
