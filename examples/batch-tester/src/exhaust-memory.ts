/**
 * Takes memory until there is none. Never returns: the process, or the thread, is ended by whoever watches over its
 * memory.
 */
export function exhaustMemory(): never {
  const taken: number[][] = [];
  for (;;) taken.push(Array.from({ length: 100_000 }, Math.random));
}
