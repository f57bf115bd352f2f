/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. */
  a: Date | string;
  /** B. */
  b: Uint8Array | string | null;
  /** C. */
  c: Set<string> | string[];
  /** D. */
  d: Date | URL;
  /** E. */
  e?: bigint | string;
  /** F. */
  f: (Date | `x-${string}`)[];
  /** G. */
  g: { at: Date } | { at: string };
  /** H. */
  h: Map<string, number> | { a?: number };
  /** I. */
  i: Date[] | string[];
  /** J. */
  j: bigint | "12";
  /** N. */
  n: Record<`a-${string}`, Date> | Record<`a${string}`, string>;
  /** O. */
  o: Record<`a-${string}`, Date> | { "a-b"?: string };
  /** Fine: no key is of both. */
  p: Record<`a-${string}`, Date> | Record<`b-${string}`, string>;
  /** Fine: the literal tells. */
  k: { kind: "a"; at: Date } | { kind: "b"; at: string };
  /** Fine: no date. */
  l: Date | "never";
  /** Fine: other forms. */
  m: Date | number | boolean | null;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
