/** Number of edits from one text to the other; a swap of neighbours is one edit. Stops at `limit`. */
export function editDistance(from: string, to: string, limit = Number.POSITIVE_INFINITY): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let least = row;
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
      least = Math.min(least, cost);
    }
    // A swap reaches over one row, so two rows must be beyond the limit.
    if (least > limit) return limit;
    before = previous;
    previous = current;
  }
  return previous[to.length] ?? limit;
}
