import { useEffect, useState } from "preact/hooks";
import type { Store } from "./store.ts";

/** The value of a store; the component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, turn] = useState({});
  useEffect(() => store.watch(() => turn({})), [store]);
  return store.get();
}
