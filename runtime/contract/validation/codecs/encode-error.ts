/**
 * Thrown for a result that cannot be encoded, such as one that contains itself. Callers get the error `invalid-result`.
 */
export class EncodeError extends Error {
  override readonly name: string = "EncodeError";
  /** JSON Pointer to the value if it is known; empty for the whole result. */
  readonly pointer: string;

  constructor(message: string, pointer = "") {
    super(message);
    this.pointer = pointer;
  }
}
