/** Waits for what is seen from outside, without polling. */
export class Changes {
  readonly #watchers = new Set<() => void>();

  /** Something has changed. */
  tell(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Resolves to the first value that is found; rejects with the text when none comes in time. */
  async until<T>(find: () => T | undefined, otherwise: () => string, patience = 120_000): Promise<T> {
    const found = Promise.withResolvers<T>();
    const look = (): void => {
      const value = find();
      if (value !== undefined) found.resolve(value);
    };
    const timer = setTimeout(() => found.reject(new Error(otherwise())), patience);
    this.#watchers.add(look);
    try {
      look();
      return await found.promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
  }
}
