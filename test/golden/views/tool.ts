/** @schema urn:example:schema.range.1 */
export interface Range {
  /** Where it begins. */
  from: number;
  /** Where it ends. */
  to: number;
}

/**
 * Draws a range.
 * @tool
 * @view ./range.view.html
 */
export function range({ from, to }: Range): string {
  return `${from} to ${to}`;
}

/**
 * Adds numbers.
 * @tool
 * @param first - The first number.
 * @param others - All others.
 * @view range.view.html
 */
export function add(first: number, ...others: number[]): number {
  return others.reduce((sum, n) => sum + n, first);
}

/** Lists ranges.
 * @tool
 * @view auto */
export function ranges(): Range[] {
  return [{ from: 1, to: 2 }];
}
