/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Dangerous. */
  "__proto__": string;
  /** Fine. */
  constructor: string;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
