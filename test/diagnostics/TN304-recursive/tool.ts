type Tree = undefined | number | Tree[];

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** May be missing, and its items may not. */
  tree: Tree;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
