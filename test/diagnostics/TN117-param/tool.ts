/**
 * Adds.
 * @param a One.
 * @param c Two.
 * @tool
 */
export function add(a: number): number {
  return a;
}
