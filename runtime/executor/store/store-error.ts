/**
 * A store cannot be opened: a wrong address, a file of another program, a second owner. The message is for the
 * operator; print it without the stack. An open store throws a `ToolError` instead.
 */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}
