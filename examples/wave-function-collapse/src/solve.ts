import { type JobContext, ValueError } from "tenon";
import { collapse } from "./collapse.ts";
import { seededRandom } from "./random.ts";
import { progressOf, runPaced } from "./run-paced.ts";
import type { Piece } from "./wave.ts";

export interface Puzzle {
  readonly width: number;
  readonly height: number;
  readonly attempts: number;
  readonly seed: number;
}

/**
 * Collapses the wave, each attempt in a step of its own and with other random numbers. Throws a `ValueError` when all
 * attempts fail: a smaller map, more attempts or another seed can work.
 */
export async function solve<P extends Piece>(
  pieces: readonly P[],
  puzzle: Puzzle,
  job: JobContext,
): Promise<readonly P[]> {
  const { width, height, attempts, seed } = puzzle;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const message = `Attempt ${attempt} of ${attempts}, seed ${seed}`;
    const solution = await job.report.step("collapse", { message }, async (step) => {
      const random = seededRandom(seed + attempt - 1);
      const found = await runPaced(collapse(pieces, width, height, random), job.signal, progressOf(step));
      step.finished({ message: found === undefined ? "The tiles do not work out" : `${width * height} tiles placed` });
      return found;
    });
    if (solution !== undefined) return solution;
  }
  throw new ValueError(
    `The tiles did not work out for ${width} × ${height} in ${attempts === 1 ? "one attempt" : `${attempts} attempts`}. ` +
      "Allow more attempts, give another seed, or make the map smaller.",
  );
}
