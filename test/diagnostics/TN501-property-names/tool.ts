/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. */
  "first name": string;
  /** B. */
  inner: {
    /** C. */
    größe: number;
  };
  /** Fine. */
  "x-a.b_c": boolean;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
