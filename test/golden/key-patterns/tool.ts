type UserId = string & { readonly brand: "UserId" };

/** @schema urn:example:schema.key-patterns.1 */
export interface Request {
  data: Record<`data-${string}`, Date>;
  beside: { name: string; [key: `x-${string}`]: string };
  several: { [key: `from-${string}`]: Date; [key: `${string}-count`]: number };
  /** A key of both has the fields of both, at any depth. */
  overlapping: { [key: `a-${string}`]: { at: { first: Date } }; [key: `${string}-z`]: { at: { second?: number } } };
  withAll: { [key: `n${number}`]: number; [key: string]: number | string };
  union: Record<`a-${string}` | `b-${string}`, boolean>;
  byNumber: { [index: number]: string };
  byNumberToo: Record<number, { at: Date }>;
  byAnyKey: Record<PropertyKey, number>;
  upper: Record<Uppercase<string>, string>;
  branded: Record<UserId, number>;
  /** A field that its own pattern matches has its own type. */
  own: { "x-limit": 1 | 2; [key: `x-${string}`]: number };
}

/** @schema urn:example:schema.headers.1 */
export type Headers = { [key: `${string}schema`]: string };

/**
 * Takes keys of several forms.
 * @tool
 */
export function take(request: Request): Headers {
  void request;
  return {};
}
