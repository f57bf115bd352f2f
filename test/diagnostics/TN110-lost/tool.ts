/** @maxLength 5 */
type Code = string;
/** @default "a" */
type Letter = string;
type IsText<T> = T extends string ? "text" : "other";
/** A model. @default {} @path /x */
interface Model {
  /** A text. */
  a: string;
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Another type is made of it. */
  text: IsText<Code>;
  /** Any text is legal. */
  open: string | Code;
  /** A list. */
  letters: Letter[];
  /** A model. */
  model: Model;
  /** Accepts everything. @minimum 1 */
  everything: unknown;
}

/** Takes a request. @tool @param request The request. @minimum 2 */
export function take(/** @maximum 3 */ request: Request): void {
  void request;
}

/** Takes a request. @tool */
export function pick({ /** @minLength 1 */ text }: Request): void {
  void text;
}
