/** A user. */
interface User {
  /** The name. */
  name: string;
  /** The mail address. */
  mail: string;
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A key that does not exist. */
  a: User["nam"];
  /** In a list. */
  b: User["email"][];
  /** Of a type that is not found. */
  c: Missing["name"];
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
