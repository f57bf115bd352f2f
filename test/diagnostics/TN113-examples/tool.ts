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
