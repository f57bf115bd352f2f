import type { WithSchema } from "tenon";

interface User {
  name: string;
}
interface Item {
  price: number;
}
/** @format email */
type Email = string;

/** @schema urn:example:schema.page.1 */
export interface Page<T> {
  items: T[];
}
/** @schema urn:example:schema.box.1 */
export type Box<T> = { value: T };
/**
 * The type argument is not in the data, so all are one model.
 * @schema urn:example:schema.reference.1
 */
export interface Reference<T> {
  id: string;
  old?: Reference<T>;
}

/** Users. @tool */
export function users(): Page<User> {
  return { items: [] };
}
/** Users again. @tool */
export function again(): [Page<User>, Page<User>] {
  return [{ items: [] }, { items: [] }];
}
/** Items. @tool */
export function items(): Page<Item> {
  return { items: [] };
}
/** Numbers. @tool */
export function numbers(): Page<number> {
  return { items: [1] };
}
/** Flags, with a URN of their own. @tool */
export function flags(): WithSchema<"urn:example:schema.flags.1", Page<boolean>> {
  return { items: [true] };
}
/** A text. @tool */
export function text(): Box<string> {
  return { value: "" };
}
/** An address. @tool */
export function address(): Box<Email> {
  return { value: "a@example.com" };
}
/** References. @tool */
export function references(): [Reference<User>, Reference<Item>] {
  return [{ id: "1" }, { id: "2" }];
}
