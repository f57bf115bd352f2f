/** A text that the user can copy. */
export interface CopyText {
  readonly name: string;
  readonly text: string;
}
