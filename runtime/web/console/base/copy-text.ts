/** A text for somewhere else. */
export interface CopyText {
  readonly name: string;
  readonly text: string;
}
