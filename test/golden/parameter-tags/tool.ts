/** @format email */
type Email = string;

/**
 * Takes values by position.
 * @param size - How many. @minimum 1 @maximum 5
 * @param mode - How fast. @default "slow"
 * @param to - To whom.
 * @minLength 6
 * @param words - What to say. @maxLength 4
 * @param seed @title Seed
 * @tool
 */
export function take(
  size: number,
  mode: "fast" | "slow",
  to: Email,
  words: string[],
  seed: number,
  /** Written here. @multipleOf 5 */ step: number,
  /** Also here. @maxLength 3 @deprecated */
  code: string = "a",
  ...rest: Email[]
): void {
  void [size, mode, to, words, seed, step, code, rest];
}

type Handler = (/** By the type of the function. @minimum 7 */ count: number, text: string) => void;

/** Takes values by a type. @tool */
export const handle: Handler = (count, text) => {
  void [count, text];
};
