const standard = 20;

/** @schema urn:example:schema.case.1 */
export class Request {
  /** Fine: a default. */
  limit = 10;
  /** Fine as well. */
  offset: number = standard;
  /** Fine: the tag says it. @default [] */
  tags: Set<string> = new Set();
  /** Fine: nothing. */
  label?: string = undefined;
  /** A. */
  at: Date = new Date();
  /** B. */
  id = crypto.randomUUID();
  /** Fine: callers must send it. */
  name!: string;
  /** C. @minimum 1 */
  count = 0;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
