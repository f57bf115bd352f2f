import { useEffect, useState } from "preact/hooks";
import { errorText } from "./error-text.ts";

/** A value that is being fetched, was fetched, or could not be. */
export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly message: string };

/**
 * Loads a value, and again when `keys` change. With `every`, also in that interval in milliseconds while the page is
 * visible; a failure then keeps the last value.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  every?: number,
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  useEffect(() => {
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = async (isFirst = false): Promise<void> => {
      if (isFirst || !document.hidden) await look();
      if (every !== undefined && !stopping.signal.aborted) timer = setTimeout(() => void turn(), every);
    };
    const look = async (): Promise<void> => {
      try {
        const value = await load(stopping.signal);
        if (!stopping.signal.aborted) setLoaded({ state: "ready", value });
      } catch (error) {
        if (stopping.signal.aborted) return;
        setLoaded((last) => (last.state === "ready" && every !== undefined ? last : failure(error)));
      }
    };
    // A value that is renewed stays until its successor is there: a form must not lose what somebody typed.
    if (every === undefined) setLoaded({ state: "loading" });
    void turn(true);
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, keys);
  return loaded;
}

function failure(error: unknown): { readonly state: "failed"; readonly message: string } {
  return { state: "failed", message: errorText(error) };
}
