declare const own: unique symbol;
class MyError extends Error {
  code = 1;
}
enum Computed {
  A = "abc".length,
  B = A * 2,
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A pattern. */
  pattern: RegExp;
  /** A symbol. */
  key: symbol;
  /** A unique symbol. */
  own: typeof own;
  /** A weak map. */
  cache: WeakMap<object, string>;
  /** A promise. */
  later: Promise<string>;
  /** An error. */
  problem: Error;
  /** An error of the author. */
  mine: MyError;
  /** Numbers. */
  floats: Float64Array;
  /** A buffer. */
  raw: ArrayBuffer;
  /** A stream. */
  stream: ReadableStream;
  /** A signal. */
  signal: AbortSignal;
  /** A wrapper. */
  text: String;
  /** Headers. */
  headers?: Headers | null;
  /** An iterator. */
  items: Iterable<string>;
  /** A big literal. */
  big: 5n;
  /** Infinity. */
  much: 1e400;
  /** A formatter. */
  format: Intl.NumberFormat;
  /** A computed enum. */
  computed: Computed;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
