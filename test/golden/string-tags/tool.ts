/** @schema urn:example:schema.string-tags.1 */
export interface Request {
  /** A name. @minLength 1 @maxLength 20 */
  name: string;
  /**
   * Lower case.
   * @pattern ^[a-z @]+$
   * @pattern [aeiou]
   */
  lower: string;
  /** @format email */
  mail: string;
  /** @format date-time */
  at: Date;
  /** @minLength 2 */
  items: string[];
  /** @maxLength 3 */
  maybe: string | null;
  /** @minLength 1 */
  deep: string[][];
}

/**
 * Takes string tags.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
