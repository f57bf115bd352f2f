/** @schema urn:example:schema.case.1 */
export interface Request {
  /** By number. */
  a: Map<number, string>;
  /** By object. */
  b: ReadonlyMap<Date, string>;
  /** By some words. */
  c: Map<"x" | "y", string>;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
