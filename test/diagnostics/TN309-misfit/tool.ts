import type { tags } from "typia";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. @minimum 1 */
  a: string;
  /** B. @minLength 1 */
  b: number;
  /** C. @minItems 1 */
  c: string;
  /** D. @pattern ^a */
  d: Date;
  /** E. @format date */
  e: Date;
  /** F. @maximum 5 */
  f: boolean;
  /** G. @minLength 1 */
  g: { a: string };
  /** H. @type uint32 */
  h: bigint;
  /** I. */
  i: string & tags.Minimum<1>;
  /** J. @uniqueItems */
  j: [string];
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
