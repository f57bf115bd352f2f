interface Tree {
  value: number;
  children: Tree[];
}
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Chain {
  next?: Chain;
}
interface Parent {
  child?: Child;
}
interface Child {
  parent: Parent;
}
type Nest = Nest[];
type Dictionary = { [key: string]: Dictionary };

/** @schema urn:example:schema.recursive.1 */
export interface Request {
  tree: Tree;
  json: Json;
  maybe?: Json;
  chain: Chain | null;
  parent: Parent;
  nest: Nest;
  record: Dictionary;
  anonymous: { again?: Request["anonymous"] };
}

/**
 * Takes recursive.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
