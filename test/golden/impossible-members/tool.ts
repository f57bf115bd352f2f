/** A reference. */
interface Reference {
  /** The expression. */
  expression: string;
}

/** What may stand in its place. */
type OrReference<T> = T | (T & Reference) | Reference;

/** An address. */
interface Address {
  /** The street. @deprecated Use `lines`. */
  street: string;
  /** Lines. */
  lines: string[];
}

/** @schema urn:test:impossible.1 */
export interface Request {
  /** No text has an expression. */
  side: "left" | ("right" & Reference) | Reference;
  /** Of a generic. */
  baseline: OrReference<"top" | "bottom">;
  /** A number has none either, nor has a list. */
  size: number | (number & Reference) | (Reference & string[]) | Reference;
  /** The type itself. */
  address: NoInfer<Address>;
  /** In a list. */
  others: NoInfer<Address>[];
  /** Nothing new. @deprecated Use `address`. */
  old?: NoInfer<Address> | null;
}

/**
 * Places something.
 * @tool
 * @deprecated Use `put`.
 */
export function place(request: Request): void {
  void request;
}
