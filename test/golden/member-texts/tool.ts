/** How fast. */
type Speed =
  /** At once. */
  | "fast"
  /** Over night. @deprecated */
  | "slow";
type Signal = "red" | "green"; /** Not a text of `green`. */
type Size =
  | "s" /** Small. */
  | "l"; /** Not a text of `l`, since it stands behind the end. */
type Amount =
  /** As a text. @maxLength 5 */
  | string
  /** As a number. @minimum 1 */
  | number;
/** Nothing at all. */
type None = "none";
/** A paint. */
enum Paint {
  /** Hot. */
  red = "red",
  /** Cold. @title Blue */
  blue = "blue",
  plain = "plain",
}
/** Has corners. @title Polygon */
type Polygon = { kind: "square"; side: number } | { kind: "triangle"; a: number };
interface Circle {
  kind: "circle";
  radius: number;
}
/** What is known. */
type Known = "a" | "b";
/** What was known. */
type Former = "a" | "c";

/** @schema urn:example:schema.member-texts.1 */
export interface Request {
  speed: Speed;
  speedOrNumber: Speed | number;
  signal: Signal;
  size: Size;
  amount: Amount;
  inline: /** One. */ "one" | /** Two. @title Two */ "two" | "three";
  noneOrText: None | "text";
  noneOrAny: None | string;
  paint: Paint;
  paintOrNull: Paint | null;
  paintOrNumber: Paint | number;
  onePaint: Paint.red;
  shape: Polygon | Circle;
  shapes: (Polygon | null)[];
  known: Known | Former;
  knownOrNumber: Known | number;
  knownOrNull: Known | null;
  both: { a: 1 } & /** With a text. */ { b: /** @minimum 2 */ number };
}

/**
 * Takes unions whose members have texts.
 * @tool
 */
export function take(request: Request): Known | 1 {
  void request;
  return 1;
}
