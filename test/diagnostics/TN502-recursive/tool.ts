/** @schema urn:example:schema.case.1 */
export interface Tree {
  /** A name. */
  name: string;
  /** What is below. */
  children: Tree[];
}

/** Takes a tree. @tool */
export function take(request: Tree): void {
  void request;
}

/** Gives one, which is fine. @tool */
export function give(): Tree {
  return { name: "root", children: [] };
}
