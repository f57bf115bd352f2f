/** @maxLength 5 */
type Word = string;

interface Limits {
  /** How many of each. @minimum 0 */
  [key: string]: number;
}

/** @schema urn:example:schema.index-signatures.1 */
export interface Request {
  limits: Limits;
  words: {
    /** @minLength 2 */
    [key: `word-${string}`]: Word;
  };
  any: Record<PropertyKey, Word>;
}

/**
 * Takes index signatures with tags.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
