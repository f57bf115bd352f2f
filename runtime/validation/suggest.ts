/** The candidate that a misspelt text most likely means; `undefined` when none is near. */
export function suggest(text: string, candidates: readonly string[]): string | undefined {
  if (text.length > 64) return undefined;
  const plain = simplify(text);
  let best: string | undefined;
  // In a text of one or two letters every edit makes another text.
  let bestDistance = plain.length < 3 ? 1 : Math.floor(plain.length / 3) + 1;
  for (const candidate of candidates) {
    if (candidate.length > 64) continue;
    const distance = editDistance(plain, simplify(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Case and word separators are the commonest slips, so they count nothing. */
function simplify(text: string): string {
  return text.toLowerCase().replaceAll(/[-_ .]/g, "");
}

/** Edits to get from one text to the other, where two swapped neighbours are one edit; `limit` and above are the same. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[to.length] ?? limit;
}
