/** @schema urn:example:schema.examples.1 */
export interface Request {
  number: number;
  mode?: "fast" | "exact";
}

/**
 * Has examples.
 * @tool
 * @example { "number": 7 }
 * @example A prime
 * ```json
 * { "number": 997, "mode": "fast" }
 * ```
 * @example By a call
 * ```ts
 * const result = await take({ number: -1, mode: "exact" });
 * ```
 * @example
 * {
 *   "number": 4
 * }
 */
export function take(request: Request): number {
  return request.number;
}

/**
 * Adds.
 * @param a One.
 * @param b Two.
 * @tool
 * @example add(1, 2)
 * @example {"a": 1, "b": 3}
 */
export function add(a: number, b: number): number {
  return a + b;
}
