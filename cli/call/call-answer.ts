/** Result of a finished call over REST or MCP. */
export interface CallAnswer {
  readonly ok: boolean;
  /** The result as text, or the error for people. */
  readonly text: string;
  /** A binary result, written unchanged. */
  readonly bytes?: Uint8Array;
}

export type Listener = (line: string) => void;
