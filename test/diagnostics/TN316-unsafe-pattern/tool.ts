import type { tags } from "typia";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. @pattern ^(a+)+$ */
  a: string;
  /** B. @pattern \s+$ */
  b: string;
  /** C. */
  c: string & tags.Pattern<"^(\\w+\\s?)*$">;
  /** D. */
  d: (string & tags.Pattern<"x.*y.*z">)[] | null;
  /** The length is checked first. @pattern \s+$ @maxLength 3000 */
  short: string;
  /** Too long for the third degree. @pattern x.*y.*z @maxLength 3000 */
  long: string;
  /** No length helps. @pattern ^(a|a)*$ @maxLength 100 */
  exponential: string;
  /** E. @pattern ^[a-z]+(-[a-z]+)*$ */
  fine: string;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
