/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. @pattern ^(a+)+$ */
  a: string;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
