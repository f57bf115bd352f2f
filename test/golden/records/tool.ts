/** @schema urn:example:schema.records.1 */
export interface Request {
  byName: Record<string, number>;
  index: { [key: string]: Date };
  beside: { name: string; count: number; [key: string]: string | number };
  byNumber: Record<number, string>;
  fixed: Record<"b" | "a", boolean>;
  partial: Partial<Record<"x" | "y", number>>;
  nested: Record<string, Record<string, string[]>>;
  optional: { [key: string]: number | undefined };
  template: { [key: `x-${string}`]: string };
}

/**
 * Takes records.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
