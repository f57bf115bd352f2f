/** Number of edits from one text to the other; a swap of neighbours is one edit. Stops at `limit`. */
export function editDistance(from: string, to: string, limit = Number.POSITIVE_INFINITY): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const [above = 0, left = 0, corner = 0] = [previous[column], current[column - 1], previous[column - 1]];
      const swapped = isSwapped ? (before[column - 2] ?? 0) : above;
      current.push(Math.min(above + 1, left + 1, swapped + 1, corner + (from[row - 1] === to[column - 1] ? 0 : 1)));
    }
    // A swap reaches over one row, so two rows must be beyond the limit.
    if (Math.min(...current) > limit) return limit;
    before = previous;
    previous = current;
  }
  return previous[to.length] ?? limit;
}
