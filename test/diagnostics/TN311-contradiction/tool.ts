import type { tags } from "typia";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. @minimum 5 @maximum 1 */
  a: number;
  /** B. @minLength 3 @maxLength 2 */
  b: string;
  /** C. @minItems 2 @maxItems 1 */
  c: string[];
  /** D. @exclusiveMinimum 1 @maximum 1 */
  d: number;
  /** E. */
  e: number & tags.Minimum<5> & tags.Maximum<4>;
  /** F. @minimum 1 @maximum 1 */
  f: number;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
