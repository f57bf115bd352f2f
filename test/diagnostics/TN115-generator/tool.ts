/** Counts. @tool */
export function* count(): Generator<number> {
  yield 1;
}

/** Counts slowly. @tool */
export async function* slow() {
  yield 1;
}

/** Gives an iterator. @tool */
export function iterator(): AsyncIterable<number> {
  return slow();
}
