import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds before a slow call, and before its answer, which is several rounds of a model late. */
const before = 10;
const behind = 60;

/**
 * Wraps a store so that calls and answers take some turns of the event loop, as those of a server do: other replicas
 * act between the moment of a write and the moment when its caller knows of it.
 *
 * @param next Returns a number from 0 to 1, which decides about the number of turns
 * @param slow The method whose calls and answers are much later than all others
 */
export function lateStore<S extends object>(store: S, next: () => number, slow?: string): S {
  const turns = async (): Promise<void> => {
    for (let left = Math.floor(next() * 3); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
  };
  return new Proxy(store, {
    get(target, name) {
      const of = (): unknown => Reflect.get(target, name);
      if (typeof of() !== "function") return of();
      return async (...inputs: unknown[]) => {
        await (name === slow ? sleep(before) : turns());
        // A store in memory replaces methods with its first limit.
        const answer: unknown = await (of() as (...values: unknown[]) => unknown).apply(target, inputs);
        await (name === slow ? sleep(behind) : turns());
        return answer;
      };
    },
  });
}
