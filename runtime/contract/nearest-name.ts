/** Finds the known name that is nearest to an unknown, probably misspelt one; undefined if none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const word = name.toLowerCase();
  const [nearest] = known
    .map((one) => ({ one, edits: editDistance(word, one.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  if (nearest !== undefined && nearest.edits <= Math.max(word.length > 3 ? 2 : 1, word.length / 3)) return nearest.one;
  const longer = word.length < 2 ? [] : known.filter((one) => one.toLowerCase().startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Counts the edits from one text to the other; a swap of neighbours is one edit. Stops counting at `limit`. */
export function editDistance(from: string, to: string, limit = Number.POSITIVE_INFINITY): number {
  const rows: number[][] = [];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? limit;
  for (let i = 0; i <= from.length; i++) {
    const row: number[] = (rows[i] = []);
    for (let j = 0; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      const swap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? 1 : 2;
      row[j] =
        i * j === 0
          ? i + j
          : Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same, at(i - 2, j - 2) + swap);
    }
    if (Math.min(...row) > limit) return limit;
  }
  return at(from.length, to.length);
}
