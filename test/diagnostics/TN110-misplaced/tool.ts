/** @schema urn:example:schema.misplaced.1 */
export interface Request {
  /** The name. @path /x */
  name: string;
}

/** Takes. @tool @minimum 3 @schema urn:example:schema.misplaced.2 */
export function take(request: Request): void {
  void request;
}
