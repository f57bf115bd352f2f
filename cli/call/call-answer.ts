/** What both protocols tell of a finished call. */
export interface CallAnswer {
  readonly ok: boolean;
  /** The result, or the error for people. */
  readonly text: string;
  /** Binary results, written as they are. */
  readonly bytes?: Uint8Array;
}

export type Listener = (line: string) => void;
