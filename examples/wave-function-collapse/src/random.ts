/** Numbers from 0 to below 1. */
export type Random = () => number;

/** A repeatable stream of random numbers (mulberry32): the same seed gives the same stream. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** A number from 0 to below 1 that depends on a place and a seed only. */
export function randomAt(x: number, y: number, seed: number): number {
  return mix(Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1)) / 2 ** 32;
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
