/** A decorator `@withSchema("…")` on a class. Offsets are UTF-16 units from the start of the source. */
export interface SchemaDecoratorModel {
  readonly start: number;
  readonly end: number;
  /** Offset after the brace that opens the body of the class. */
  readonly body: number;
}
