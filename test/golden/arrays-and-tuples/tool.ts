/** @schema urn:example:schema.arrays-and-tuples.1 */
export interface Request {
  list: string[];
  generic: Array<number>;
  frozen: readonly boolean[];
  nested: number[][];
  mixed: (string | number)[];
  pair: [number, string];
  named: [from: number, to?: number];
  rest: [string, ...number[]];
  fixed: readonly [1, "two"];
  empty: [];
  objects: { a: string }[];
}

/**
 * Takes arrays and tuples.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
