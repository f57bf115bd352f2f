interface Nothing {}

/** @schema urn:example:schema.unknown.1 */
export interface Request {
  value: unknown;
  anything: any;
  list: unknown[];
  record: Record<string, unknown>;
  object: object;
  empty: {};
  named: Nothing;
}

/**
 * Takes unknown.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
