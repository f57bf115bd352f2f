import type { Gone } from "no-such-package";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Not declared. */
  a: Missing;
  /** In a list. */
  b: Array<Absent>;
  /** In an operation. */
  c: keyof Nowhere;
  /** From a package. */
  d: Gone;
  /** A type of a newer platform. */
  e: Temporal.Instant;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
