/** A code. @maxLength 7 */
type Code = string;
interface Base {
  /** A name. @minLength 3 */
  name: string;
}

/** @schema urn:example:schema.indexed-types.1 */
export interface Request {
  record: Readonly<Record<string, Code>>;
  partial: Partial<Readonly<{ /** Of the keys. @minLength 2 */ [key: string]: Code }>>;
  mapped: { [K in "p"]: Code }["p"];
  ofRecord: Record<"p", Code>["p"];
  element: Code[][0];
  elements: ReadonlyArray<Code>[number];
  second: [number, Code][1];
  named: [a: number, b?: Code][1];
  kept: { [K in keyof Base]: Base[K] }["name"];
  nullable: Readonly<Record<string, Code>> | null;
  replaced: { [K in keyof Base]: Code }["name"];
}

/**
 * Takes parts of other types.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
