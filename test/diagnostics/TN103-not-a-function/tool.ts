/** A class. @tool */
export class Calculator {
  /** Adds. @tool */
  add(a: number, b: number): number {
    return a + b;
  }

  /** Subtracts. @tool */
  minus = (a: number): number => -a;
}

/** A value. @tool */
export const answer = 42;

/** Two values. @tool */
export const { a, b } = { a: 1, b: 2 };

/** A type. @tool */
export interface Shape {
  side: number;
}

export function outer(): void {
  /** Inside. @tool */
  function inner(): void {}
  inner();
}

export const tools = {
  /** A method. @tool */
  shout(): void {},
};
