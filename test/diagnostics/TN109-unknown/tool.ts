/** @min 3 */
type Lost = string;
type IsText<T> = T extends string ? "text" : "other";
enum Colour {
  /** @gt 4 */
  red = "red",
}

/** @customModel @schema urn:example:schema.unknown.1 */
export interface Request {
  /** The size. @min 1 @max 5 */
  size: number;
  /** One of two. @enum a,b */
  one: string;
  /**
   * A number.
   * @isInt must be whole
   * @Min(1)
   * @minimum: 2
   */
  number: number;
  /** Sent with each call @tenant 5 */
  tenant: number;
  /** Must be there @required */
  there: number;
  /** Always five. @const 5 */
  five: number;
  /** @x-nullable @TJS-type integer */
  whole: number;
  /** Has a default. @default(5) */
  standard: number;
  /** The tag is one of a type that is made into another. */
  other: IsText<Lost>;
  /** A colour. */
  colour: Colour;
  /** Ask @alice about it, or @types/node, or me@example.org; see `@code` and \@word. {@link Colour} */
  prose: string;
  /**
   * Tags of other tools.
   * @see Colour @since 1.0 @constant
   * @type {string}
   * @privateRemarks Nothing.
   */
  foreign: string;
}

/**
 * Takes.
 * @tool
 * @operationId take
 * @param request The request. @length 3
 */
export function take(request: Request): void {
  void request;
}

/**
 * Adds.
 * @tool
 * @param a A number. @gte 3
 */
export function add(a: number, /** A text. @regex x */ b: string): void {
  void a;
  void b;
}
