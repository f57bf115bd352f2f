/** Distances between the numbers that 2, 3 and 5 do not divide, starting at 7; they repeat every 30. */
const wheel = [4, 2, 4, 2, 4, 6, 2, 6] as const;

/** Divisions between two checks of the signal: often enough to stop within a millisecond, too rare to cost anything. */
const stride = 4096;

/**
 * The prime factors of a whole number, smallest first and repeated as often as they divide it; none for 0 and 1.
 * Trial division on a wheel: at most 17,476 divisions for any 32-bit number, which is less than a millisecond.
 * Throws the signal's reason when it is aborted.
 */
export function factorise(number: number, signal?: AbortSignal): number[] {
  const factors: number[] = [];
  if (number < 2) return factors;
  let rest = number;
  function divideBy(candidate: number): void {
    while (rest % candidate === 0) {
      factors.push(candidate);
      rest /= candidate;
    }
  }

  for (const small of [2, 3, 5]) divideBy(small);
  for (let candidate = 7, turn = 0; candidate * candidate <= rest; turn++) {
    if (turn % stride === 0) signal?.throwIfAborted();
    divideBy(candidate);
    candidate += wheel[turn % wheel.length] ?? 0;
  }
  if (rest > 1) factors.push(rest);
  return factors;
}
