enum Color {
  Red = "red",
  Green = "green",
  Blue = "blue",
}
enum Size {
  Small,
  Large = 10,
  Huge,
}
enum Mixed {
  Zero = 0,
  Text = "text",
}
const enum Fast {
  B = "b",
  A = "a",
}
enum Single {
  Only = "only",
}

/** @schema urn:example:schema.enums.1 */
export interface Request {
  color: Color;
  size: Size;
  mixed: Mixed;
  fast: Fast;
  one: Single;
  member: Color.Green;
  maybe?: Color;
  some: Color.Red | Size.Large | null;
  byColor: Record<Color, number>;
}

/**
 * Takes enums.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
