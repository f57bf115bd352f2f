/** A type of a list's items, and items that cost most for their length. */
export interface CodecKind {
  readonly name: string;
  /** Declarations of the types that `type` uses. */
  readonly declares?: string;
  /** The type of one item, in TypeScript. */
  readonly type: string;
  /** Tags of the list itself. */
  readonly tags?: string;
  /** The wire form of item number `index`. */
  readonly item: (index: number) => unknown;
}

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** A letter for each number. */
export const letter = (index: number): string => String.fromCodePoint(97 + (index % 26));

/** A short text for each number, none twice. */
export const word = (index: number): string => index.toString(36);
