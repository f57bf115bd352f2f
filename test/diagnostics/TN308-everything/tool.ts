/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Anything. */
  a: unknown;
  /** Any. */
  b: any;
  /** In a record. */
  c?: Record<string, any>;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
