/** Gives a function. @tool */
export function result(): () => void {
  return () => {};
}

/** Gives a list of patterns. @tool */
export async function patterns(): Promise<RegExp[]> {
  return [];
}

/** Takes a function. @tool @param f A function. @param n A number. */
export function parameter(f: () => void, n: number): void {
  void [f, n];
}
