const lateKey: unique symbol = Symbol("tenon.outbound.late");

/**
 * Marks a dispatcher class that was patched after its first use: a package outside of the bundle, or Node's own undici
 * after an early `fetch`. Its instances may be wrapped by interceptors that are bound to the unpatched class.
 */
export function markLate(prototype: object): void {
  Object.defineProperty(prototype, lateKey, { value: true });
}

/** True for a dispatcher whose class was patched after its first use. */
export function isLate(dispatcher: object): boolean {
  return (dispatcher as { [lateKey]?: true })[lateKey] === true;
}
