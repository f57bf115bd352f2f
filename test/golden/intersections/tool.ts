interface A {
  a: string;
}
interface B {
  b: number;
}
type Both = A & B;

/** @schema urn:example:schema.intersections.1 */
export interface Request {
  both: A & B;
  named: Both;
  narrowed: { v: string | number } & { v: number };
  withUnion: A & ({ kind: "x"; x: number } | { kind: "y"; y: string });
  extended: B & { extra?: string };
}

/**
 * Takes intersections.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
