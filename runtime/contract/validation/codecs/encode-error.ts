/** A result that no encoding exists for, such as one that contains itself. Which front answers: `invalid-result`. */
export class EncodeError extends Error {
  override readonly name: string = "EncodeError";
  /** JSON Pointer to the value, as far as it is known; empty for the whole result. */
  readonly pointer: string;

  constructor(message: string, pointer = "") {
    super(message);
    this.pointer = pointer;
  }
}
