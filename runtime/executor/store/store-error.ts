/**
 * A store cannot be opened: a wrong address, a file that is not ours, a second owner. The message is for whoever starts
 * the service; print it without the stack. Once a store is open it fails with a `ToolError`.
 */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}
