type Each<T> = { a: T } | { a: T[] } | { a: T[][] } | { a: [T, T] } | { a: [T, T, T] } | T[];
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
