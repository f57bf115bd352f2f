/** @schema urn:example:schema.texts.1 */
export interface Request {
  name: string;
  // No TSDoc comment.
  inner: { deep: number };
  /** @title Has a title */
  titled: string;
  /** @minimum 1 */
  size: number;
}

/** @schema urn:example:schema.texts-result.1 */
export interface Result {
  label: string;
}

/** Takes. @tool */
export function take(request: Request): Result {
  return { label: request.name };
}

/** Adds. @tool @param a One. */
export function add(a: number, b: number): number {
  return a + b;
}
