type Mode = "c" | "b" | "a";
type ReversedMode = "a" | "b" | "c";
const roles = ["writer", "reader", "admin"] as const;
interface Square {
  kind: "square";
  side: number;
}
interface Circle {
  kind: "circle";
  radius: number;
}
type Shape = Square | Circle | { kind: "point"; at: Date };

/** @schema urn:example:schema.unions.1 */
export interface Request {
  mode: "slow" | "fast" | "exact";
  level: 3 | 1 | 2;
  loose: "auto" | (string & {});
  either: string | number;
  flagged: "x" | boolean;
  shape: Shape;
  nullable: Shape | null;
  optional?: Mode;
  reversed: ReversedMode;
  picked: Exclude<Mode, "b">;
  key: keyof Circle;
  role: (typeof roles)[number];
  nested: (("p" | "o") | "n")[];
  plain: { a: string } | { b: number };
  dated: Date | null | 5;
}

/**
 * Takes unions.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
