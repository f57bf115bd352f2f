import type { tags } from "typia";

type Even = tags.TagBase<{ target: "number"; kind: "even"; value: undefined; validate: "$input % 2 === 0" }>;
type Prefix<T extends string> = tags.TagBase<{
  target: "string";
  kind: "prefix";
  value: T;
  validate: `$input.startsWith("${T}")`;
}>;

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A check of its own. */
  even: number & Even;
  /** With a value. */
  prefix: string & Prefix<"a">;
  /** In a list. */
  list: (number & Even)[];
  /** No text of digits says so. */
  multiple: bigint & tags.MultipleOf<2n>;
  /** An object has no smallest value. */
  object: { a: string } & tags.MinItems<2>;
  /** Only for schemas. */
  plugin: string & tags.JsonSchemaPlugin<{ "x-a": 1 }>;
  /** Nothing fills in an item. */
  items: (string & tags.Default<"a">)[];
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
