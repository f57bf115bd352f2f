/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. @minimum abc */
  a: number;
  /** B. @minLength -1 */
  b: string;
  /** C. @maxItems 1.5 */
  c: string[];
  /** D. @pattern [a-z */
  d: string;
  /** E. @format mail */
  e: string;
  /** F. @type int */
  f: number;
  /** G. @multipleOf 0 */
  g: number;
  /** H. @maximum */
  h: number;
  /** I. @uniqueItems always */
  i: string[];
  /** J. @header two words */
  j: string;
  /** K. @header X-List */
  k: string[];
  /** L. @pattern \p{Foo} */
  l: string;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
