/** @schema urn:example:schema.a.1 */
export interface Request {
  $schema?: "urn:example:schema.b.1";
  /** The name. */
  name: string;
}

/** @schema urn:example:schema.c.1 */
export interface First {
  a: string;
}
/** @schema urn:example:schema.c.1 */
export interface Second {
  b: string;
}

/** One. @tool */
export function one(request: Request): First {
  return { a: request.name };
}
/** Two. @tool */
export function two(): Second {
  return { b: "" };
}
