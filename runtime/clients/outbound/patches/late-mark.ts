const lateKey: unique symbol = Symbol("tenon.outbound.late");

/**
 * Marks a dispatcher class that was patched after it had been used: a package outside of the bundle, or Node's own undici
 * after a `fetch` before the start. Its instances may hang below interceptors that are bound to the class as it was.
 */
export function markLate(prototype: object): void {
  Object.defineProperty(prototype, lateKey, { value: true });
}

export function isLate(dispatcher: object): boolean {
  return (dispatcher as { [lateKey]?: true })[lateKey] === true;
}
