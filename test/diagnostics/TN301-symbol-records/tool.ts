/** @schema urn:example:schema.case.1 */
export interface Request {
  /** By symbols. */
  only: Record<symbol, string>;
  /** Beside a field. */
  beside: { a: string; [key: symbol]: number };
  /** Of all keys that JSON has. */
  all: Record<PropertyKey, string>;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
