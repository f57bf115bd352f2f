/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. */
  a: `${number}${number}`;
  /** B. */
  b: `${string}a${string}b${string}c`;
  /** C. */
  c: `${Uppercase<string>}-${Uppercase<string>}`;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
