type Each<T> = { a: T; b: T; c: T; d: T; e: T; f: T; g: T; h: T } | { i: T; j: T; k: T; l: T; m: T; n: T } | T[];
type Many<T> = Each<Each<T>>;

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Ways through ways. */
  all: Many<Many<Many<"one" | "two">>>;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
