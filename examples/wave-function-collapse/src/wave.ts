import type { Random } from "./random.ts";

/** Something that can stand in a cell. */
export interface Piece {
  /** Weight by which it is chosen, relative to the others that fit; more than 0. */
  readonly weight: number;
  /**
   * Edges that it shows to its neighbours in the north, east, south and west: one bit each. Two pieces fit when the
   * bits on their common side are the same.
   */
  readonly sockets: readonly [number, number, number, number];
}

const sides = [
  { side: 0, opposite: 2, dx: 0, dy: -1 },
  { side: 1, opposite: 3, dx: 1, dy: 0 },
  { side: 2, opposite: 0, dx: 0, dy: 1 },
  { side: 3, opposite: 1, dx: -1, dy: 0 },
] as const;

interface Change<P> {
  readonly cell: number;
  readonly before: readonly P[];
}

/** The pieces that are still possible in every cell of a grid, and the way back to what was possible before. */
export class Wave<P extends Piece> {
  readonly #width: number;
  readonly #height: number;
  readonly #possible: (readonly P[])[];
  /** Shannon entropy of each cell's weights, with a little noise against ties; 0 or less when it is decided. */
  readonly #entropy: number[];
  readonly #noise: readonly number[];
  /** Oldest first. The lists themselves never change, so that going back is putting the old ones back. */
  readonly #changes: Change<P>[] = [];
  #open: number;

  constructor(pieces: readonly P[], width: number, height: number, random: Random) {
    const cells = Array.from({ length: width * height }, (_, cell) => cell);
    this.#width = width;
    this.#height = height;
    this.#possible = cells.map(() => pieces);
    this.#noise = cells.map(() => random() * 1e-3);
    this.#entropy = this.#noise.map((noise) => entropy(pieces) + noise);
    this.#open = pieces.length > 1 ? cells.length : 0;
  }

  /** The undecided cell with the least entropy. */
  next(): number | undefined {
    let least = Infinity;
    let found: number | undefined;
    for (const [cell, value] of this.#entropy.entries()) {
      if (value > 0 && value < least) [least, found] = [value, cell];
    }
    return found;
  }

  /** One of the cell's pieces, by weight. */
  pick(cell: number, random: Random): P {
    const pieces = this.#at(cell);
    let rest = random() * pieces.reduce((sum, { weight }) => sum + weight, 0);
    for (const piece of pieces) {
      rest -= piece.weight;
      if (rest < 0) return piece;
    }
    const last = pieces.at(-1);
    if (last === undefined) throw new RangeError(`Cell ${cell} has no pieces left.`);
    return last;
  }

  /** Keeps the cell's pieces that pass, and what fits them everywhere else; false when a cell has nothing left. */
  restrict(cell: number, passes: (piece: P) => boolean): boolean {
    if (!this.#set(cell, this.#at(cell).filter(passes))) return false;
    const queue = [cell];
    for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
      const x = from % this.#width;
      const y = (from - x) / this.#width;
      for (const { side, opposite, dx, dy } of sides) {
        if (x + dx < 0 || x + dx >= this.#width || y + dy < 0 || y + dy >= this.#height) continue;
        const to = from + dx + dy * this.#width;
        const offered = this.#at(from).reduce((bits, { sockets }) => bits | sockets[side], 0);
        const before = this.#at(to);
        const after = before.filter(({ sockets }) => (sockets[opposite] & offered) !== 0);
        if (after.length === before.length) continue;
        if (!this.#set(to, after)) return false;
        queue.push(to);
      }
    }
    return true;
  }

  /** A point to come back to with `undo`. */
  mark(): number {
    return this.#changes.length;
  }

  /** Takes everything back that happened after the mark. */
  undo(mark: number): void {
    while (this.#changes.length > mark) {
      const change = this.#changes.pop();
      if (change !== undefined) this.#put(change.cell, change.before);
    }
  }

  /** Part of the cells that have one piece left. */
  decided(): number {
    return 1 - this.#open / this.#possible.length;
  }

  /** The first piece of every cell, row by row: the solution, once `next` finds nothing. */
  pieces(): readonly P[] {
    return this.#possible.flatMap((pieces) => pieces.slice(0, 1));
  }

  #at(cell: number): readonly P[] {
    return this.#possible[cell] ?? [];
  }

  #set(cell: number, pieces: readonly P[]): boolean {
    this.#changes.push({ cell, before: this.#at(cell) });
    this.#put(cell, pieces);
    return pieces.length > 0;
  }

  #put(cell: number, pieces: readonly P[]): void {
    this.#open += Number(pieces.length > 1) - Number(this.#at(cell).length > 1);
    this.#possible[cell] = pieces;
    this.#entropy[cell] = pieces.length > 1 ? entropy(pieces) + (this.#noise[cell] ?? 0) : 0;
  }
}

function entropy(pieces: readonly Piece[]): number {
  let sum = 0;
  let logs = 0;
  for (const { weight } of pieces) {
    sum += weight;
    logs += weight * Math.log(weight);
  }
  return Math.log(sum) - logs / sum;
}
