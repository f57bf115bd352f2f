const held = ["SIGTERM", "SIGINT", "unhandledRejection", "uncaughtException"] as const;

/**
 * Keeps what would end the process until those who can handle it are loaded and listen. Returns what tells them
 * everything that came meanwhile; without listeners it is lost.
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
