/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Items. */
  a: undefined[];
  /** Items that may be missing. */
  b: (string | undefined)[];
  /** Values. */
  c: Map<string, string | undefined>;
  /** A field. */
  d: undefined;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
