const held = ["SIGTERM", "SIGINT", "unhandledRejection", "uncaughtException"] as const;

/**
 * Keeps what would end the process until those who can handle it are loaded and listen. Returns what tells them
 * everything that came meanwhile; without listeners it is lost.
 */
export function holdProcessEvents(): () => void {
  const process_: NodeJS.EventEmitter = process;
  const came: (readonly [name: string, args: readonly unknown[]])[] = [];
  const listeners = held.map((name) => {
    const listener = (...args: unknown[]): void => void came.push([name, args]);
    process_.on(name, listener);
    return () => process_.off(name, listener);
  });
  return () => {
    for (const remove of listeners) remove();
    for (const [name, args] of came) process_.emit(name, ...args);
  };
}
