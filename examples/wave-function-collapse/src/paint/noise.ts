import { randomAt } from "../random.ts";

/** Smooth noise from -1 to 1 over the whole plane; `size` is the distance between its bumps. */
export function noise(x: number, y: number, size: number, seed: number): number {
  const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
  const [u, v] = [ease(x / size - column), ease(y / size - row)];
  const top = mix(randomAt(column, row, seed), randomAt(column + 1, row, seed), u);
  const bottom = mix(randomAt(column, row + 1, seed), randomAt(column + 1, row + 1, seed), u);
  return mix(top, bottom, v) * 2 - 1;
}

/** From `a` to `b` as `part` goes from 0 to 1. */
export function mix(a: number, b: number, part: number): number {
  return a + (b - a) * part;
}

/** 0 to 1 with level ends, so that neighbouring pieces join without a crease. */
export function ease(part: number): number {
  return part * part * (3 - 2 * part);
}
