/** A value that components watch. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  watch(listener: () => void): () => void;
}

/** Creates a store. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
