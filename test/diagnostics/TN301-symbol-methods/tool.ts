declare const key: unique symbol;

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A number. */
  n: number;
  /** A method. */
  [key](): void;
  /** Another. */
  [Symbol.iterator](): Iterator<number>;
  /** A brand. */
  readonly [key]?: "brand";
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
