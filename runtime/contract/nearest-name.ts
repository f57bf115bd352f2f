/** The known name that an unknown one was probably meant to be; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const word = name.toLowerCase();
  const ranked = known
    .map((one) => ({ one, edits: editDistance(word, one.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [nearest] = ranked;
  if (nearest !== undefined && nearest.edits <= Math.max(word.length > 3 ? 2 : 1, word.length / 3)) return nearest.one;
  const longer = word.length < 2 ? [] : known.filter((one) => one.toLowerCase().startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Edits (insert, remove, replace, swap neighbours) between two words. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = (rows[i] = []);
    for (let j = 0; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? 1 : 2;
      row[j] =
        i * j === 0
          ? i + j
          : Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same, at(i - 2, j - 2) + swap);
    }
  }
  return at(a.length, b.length);
}
