/** @schema urn:example:schema.case.1 */
export interface Request {
  /** With slashes. @pattern /^a+$/ */
  a: string;
  /** With slashes and flags. @pattern /^a+$/i */
  b: string;
  /** With words behind it. @pattern ^[a-z]+$ only letters */
  c: string;
  /** A class holds the sign. @pattern ^[$ a]+$ */
  d: string;
  /** The sign itself. @pattern ^\$ [0-9]+$ */
  e: string;
  /** A path. @pattern ^/api/[^/]+$ */
  f: string;
  /** With words and without an end. @pattern [a-z]+ only letters */
  g: string;
  /** A unit. @pattern ^\d+ EUR */
  h: string;
  /** Blanks that are meant. @pattern ^[A-Z]+[ ]of[ ]the Union */
  i: string;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
