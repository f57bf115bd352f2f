import type { tags } from "typia";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. */
  byId: Record<string & tags.Format<"uuid">, number>;
  /** Fine: the tag is on the values. */
  texts: Record<string, string & tags.MinLength<1>>;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
