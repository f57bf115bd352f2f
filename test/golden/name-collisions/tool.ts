import type { Item as Other, default as Unnamed } from "./other.ts";

export interface Item {
  here: string;
}

/** @schema urn:example:schema.collide.1 */
export interface Request {
  mine: Item;
  other: Other;
  again: Item;
  unnamed: Unnamed;
  list: Array<Other>;
}

/** Takes both. @tool */
export function take(request: Request): void {
  void request;
}
