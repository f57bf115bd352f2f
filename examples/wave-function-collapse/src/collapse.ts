import type { Random } from "./random.ts";
import { type Piece, Wave } from "./wave.ts";

/** A choice that can be taken back: the piece that was tried in a cell, and the wave's mark before it. */
interface Choice<P> {
  readonly mark: number;
  readonly cell: number;
  readonly piece: P;
}

/**
 * Fills a grid with pieces so that all neighbours fit: wave function collapse.
 *
 * Every cell begins with all pieces possible. Again and again the cell with the least entropy is given one of its
 * pieces by weight, and what that rules out elsewhere is worked out. When a cell has nothing left, the last choice is
 * taken back and ruled out instead.
 *
 * Yields the part of the grid that is decided, 0 to 1, after each choice, so that the caller can report, pause or stop.
 * Returns the pieces row by row, or `undefined` when there is no solution or more choices were taken back than the grid
 * has cells: then another stream of random numbers is the better bet.
 */
export function* collapse<P extends Piece>(
  pieces: readonly P[],
  width: number,
  height: number,
  random: Random,
): Generator<number, readonly P[] | undefined, void> {
  const wave = new Wave(pieces, width, height, random);
  const choices: Choice<P>[] = [];
  let allowance = width * height;

  for (let cell = wave.next(); cell !== undefined; cell = wave.next()) {
    const choice: Choice<P> = { mark: wave.mark(), cell, piece: wave.pick(cell, random) };
    choices.push(choice);
    let possible = wave.restrict(cell, (piece) => piece === choice.piece);
    while (!possible) {
      const last = choices.pop();
      if (last === undefined || allowance-- === 0) return undefined;
      wave.undo(last.mark);
      possible = wave.restrict(last.cell, (piece) => piece !== last.piece);
    }
    yield wave.decided();
  }
  return wave.pieces();
}
