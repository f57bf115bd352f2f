import type { tags } from "typia";

interface Order<T> {
  /** Its id. @minLength 2 @maxLength 4 @pattern ^[a-z]+$ */
  id: T;
}
interface Sized<T> {
  /** Its size. @minimum 1 @multipleOf 2 @type uint32 */
  size: T;
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Fine: both fit. */
  order: Order<"ab" | "abc">;
  /** Fine: it fits. */
  sized: Sized<2 | 4>;
  /** Fine: a text beside numbers. @minimum 1 */
  auto: "auto" | 2 | 3;
  /** Fine: fits. */
  tagged: "abc" & tags.MaxLength<3>;
  /** Too long. */
  long: Order<"ab" | "abcdef">;
  /** Odd. */
  odd: Sized<3>;
  /** In a list. @maxLength 3 */
  list: ("a" | "none")[];
  /** With a tag of typia. */
  typia: "abcd" & tags.MaxLength<3>;
  /** A format cannot be checked here. @format email */
  mail: "a@example.org";
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
