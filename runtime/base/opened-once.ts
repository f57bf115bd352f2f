/** Something that the first caller opens and all later ones use. */
export interface OpenedOnce<T> {
  /**
   * Opens it, or waits until it is open. Rejects when that fails; the next call tries again, since the process may run
   * for days and the reason may pass, such as too many open files.
   */
  value(): Promise<T>;
  /** Returns what is open; undefined if nobody has asked for it, or if opening failed. Never rejects. */
  settled(): Promise<T | undefined>;
}

export function openedOnce<T>(open: () => Promise<T>): OpenedOnce<T> {
  let opening: Promise<T> | undefined;
  return {
    value: () =>
      (opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      })),
    settled: async () => opening?.catch(() => undefined),
  };
}
