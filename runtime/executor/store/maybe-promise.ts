/** Result of a store's method: a store in this process returns the value itself, a store across a network a promise. */
export type MaybePromise<T> = T | Promise<T>;
