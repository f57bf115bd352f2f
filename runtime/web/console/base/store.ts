import { useEffect, useState } from "preact/hooks";

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

/** The value of a store; the component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, turn] = useState({});
  useEffect(() => store.watch(() => turn({})), [store]);
  return store.get();
}
