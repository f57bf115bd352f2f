interface User {
  /** Where to write to. @maxLength 30 */
  mail: string;
  /** Its name. @maxLength 10 */
  name: string;
}
type Either<T> = T extends string ? /** @maxLength 12 */ string : number;

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** One of two fields. */
  field: User["mail" | "name"];
  /** What a condition makes. */
  either: Either<string>;
  /** A tag on keys. */
  keys: Record</** @maxLength 17 */ string, string>;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
