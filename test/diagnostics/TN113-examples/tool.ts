/** @schema urn:example:schema.examples.1 */
export interface Request {
  /** The number. */
  number: number;
}

/**
 * Has bad examples.
 * @tool
 * @example { "number": "7" }
 * @example {}
 * @example { "number": 1, "numbr": 2 }
 * @example
 * ```ts
 * const answer = await take({ number: Math.random() });
 * ```
 * @example 7
 */
export function take(request: Request): void {
  void request;
}

/** Takes nothing. @tool @example {"a": 1} */
export function nothing(): void {}

interface Line {
  /** Of what. */
  item: { /** The mark of the goods. @minLength 2 */ mark: string };
  /** How many. @minimum 1 */
  count: number;
}
/** @schema urn:example:schema.examples.2 */
export interface Order {
  /** What is ordered. */
  lines: readonly Line[];
  /** Where to. */
  to?: { /** The town. */ town: string; /** More of it. */ [key: string]: string } | null;
  /** Prices by mark. */
  prices?: Map<string, [number, number?]>;
}

/**
 * Has examples that are bad deep inside.
 * @tool
 * @example { "lines": [{ "item": { "mark": "ab" }, "count": 1 }, { "item": { "mark": "x" }, "count": 1 }] }
 * @example { "lines": [{ "item": {}, "count": 1 }] }
 * @example { "lines": [{ "item": { "mark": "ab", "marks": 1 }, "count": 1 }] }
 * @example { "lines": [], "to": { "town": 3 } }
 * @example { "lines": [], "prices": { "ab": [1, "2"] } }
 * @example Some prose.
 * @example A good one.
 * { "lines": [], "to": { "town": "Ulm", "street": "Hill" }, "prices": { "ab": [1] } }
 */
export function order(request: Order): void {
  void request;
}
