/** True for a promise, also one of another realm or library, and for an object that becomes one when it is awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === "function";
}
