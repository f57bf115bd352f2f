/** Adds. @tool @param a One. */
function add(a: number): number {
  return a;
}

/** Doubles. @tool */
const double = (): number => 2;

export type { add, double };
