const key = Symbol("key");
const mark: unique symbol = Symbol("mark");
declare const brand: unique symbol;

interface Shelf {
  name: string;
  [Symbol.iterator](): Iterator<string>;
}
interface Labelled {
  /** A text. */
  text: string;
  readonly [Symbol.toStringTag]: string;
}
class Draft {
  [mark] = true;
  text!: string;
  *[Symbol.iterator](): Iterator<string> {
    yield this.text;
  }
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A. */
  [key]: string;
  /** B. */
  readonly shelf: Shelf;
  /** A brand has a symbol of its own. */
  labelled: Labelled;
  /** Fine: hidden. @internal */
  [mark]: number;
  /** Fine: a brand. */
  [brand]: { [name in "checked"]: boolean };
  /** Fine: a class. */
  draft: Draft;
  /** Fine: brands. */
  branded: { a: string } & { [key]: string };
  /** Fine: brands of its own. */
  own: { /** A text. */ text: string; readonly [key]: string; [mark]: "own" };
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
