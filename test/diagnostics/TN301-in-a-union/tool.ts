/** @schema urn:example:schema.case.1 */
export interface Request {
  /** One finding, not that JSON cannot tell them apart as well. */
  when: Date | (() => void);
  /** The same. */
  byNumber: Map<number, string> | Set<string>;
  /** One finding that names all of them. */
  several: [RegExp, () => void, ...symbol[]];
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
