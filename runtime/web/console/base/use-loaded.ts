import { useEffect, useState } from "preact/hooks";

/** A fetched value, or the reason why it could not be fetched; both are absent while it is being fetched. */
export interface Loaded<T> {
  readonly value?: T;
  readonly failure?: string;
}

/**
 * Loads a value, and loads it again when `keys` change. `every`: interval in milliseconds in which the value is also
 * reloaded while the page is visible; if a reload fails, the last value stays.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  every?: number,
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
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
        if (!stopping.signal.aborted) setLoaded({ value });
      } catch (error) {
        if (stopping.signal.aborted) return;
        setLoaded((last) => (last.value === undefined ? { failure: errorText(error) } : last));
      }
    };
    // With an interval, the old value stays until the new one has arrived: a form must not lose typed text.
    if (every === undefined) setLoaded({});
    void turn(true);
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, keys);
  return loaded;
}

/** Returns the message of any thrown value. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
