/** @schema urn:example:schema.a.1 */
interface A {
  /** A. */
  a: string;
}
/** @schema urn:example:schema.b.1 */
interface B {
  /** B. */
  b: string;
}

/** Takes one of them. @tool */
export function take(request: A | B): void {
  void request;
}
