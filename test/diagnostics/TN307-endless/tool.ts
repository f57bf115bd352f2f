interface Nest<T> {
  /** The value. */
  value: T;
  /** The next. */
  next?: Nest<T[]>;
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** The first. */
  nest: Nest<string>;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
