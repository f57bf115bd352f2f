interface Base {
  /** A number. */
  n: number;
}

/** @schema urn:example:schema.case.1 */
export interface Request extends Base {
  /** A text. {@inheritDoc Base.m} */
  a: string;
  /** A text. {@inheritDoc Nowhere.m} */
  b: string;
  /** A text. {@inheritDoc} */
  c: string;
  /** {@inheritDoc} */
  n: number;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
