/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Never. */
  a: never;
  /** Void. */
  b: void[];
  /** Items may be undefined. */
  c: (string | undefined)[];
  /** Values may be undefined. */
  d: Map<string, number | undefined>;
  /** Only in this one. */
  e: [string | undefined, number?];
  /** No string is also a number. */
  f: string & number;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
