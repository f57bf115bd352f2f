const held = ["SIGTERM", "SIGINT", "unhandledRejection", "uncaughtException"] as const;

/**
 * Buffers signals and uncaught errors until their handlers are loaded. Returns a function that passes the buffered
 * events to the handlers; events without a handler are dropped.
 */
export function holdProcessEvents(source: NodeJS.EventEmitter = process): () => void {
  const came: (readonly [name: string, args: readonly unknown[]])[] = [];
  const listeners = held.map((name) => {
    const listener = (...args: unknown[]): void => void came.push([name, args]);
    source.on(name, listener);
    return () => source.off(name, listener);
  });
  return () => {
    for (const remove of listeners) remove();
    for (const [name, args] of came) source.emit(name, ...args);
  };
}
