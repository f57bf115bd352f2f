interface Animal {
  /** What people call it. */
  name: string;
  legs: number;
}
interface Cat extends Animal {
  lives: number;
  legs: 4;
}
interface Merged {
  a: string;
}
interface Merged {
  b: number;
}
interface Both extends Animal, Omit<Merged, "a"> {}

/** @schema urn:example:schema.inheritance.1 */
export interface Request {
  cat: Cat;
  merged: Merged;
  both: Both;
}

/**
 * Takes inheritance.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
