/** A declaration. @tool */
export function declared(): void {}

/** An arrow. @tool */
export const arrow = async (): Promise<void> => {};

/** An expression. @tool */
export const expression = function named(): void {};

/** Exported elsewhere. @tool */
function inside(): void {}

/** Exported elsewhere as a value. @tool */
const value = (): void => {};

export { inside as outside, value };

/** Under another name. @tool */
export const again = helper;

function helper(text = "x"): string {
  return text;
}

/** Two of them. @tool */
export const first = (): number => 1,
  /** The second. @tool */
  second = (): number => 2;

/** Typed by its variable. @tool @param n A number. */
export const typed: (n: number) => string = (n) => String(n);

/** The default. @tool */
export default function main(): void {}
