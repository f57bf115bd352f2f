export interface Page<T> {
  items: T[];
  next?: Cursor<T>;
}
export interface Cursor<T> {
  after: T;
}
export interface User {
  name: string;
}
export type Pair<A, B = A> = { first: A; second: B };

/** @schema urn:example:schema.generics.1 */
export interface Request {
  users: Page<User>;
  dates: Page<Date>;
  lists: Page<User[]>;
  pair: Pair<string>;
  other: Pair<User, "x" | "y">;
  modes: Page<"b" | "a">;
}

/** Takes generics. @tool */
export function take(request: Request): Page<User>["items"] {
  return request.users.items;
}
