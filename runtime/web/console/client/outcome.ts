/** State of a call over MCP. */
export interface Outcome {
  readonly isRunning: boolean;
  readonly args: Readonly<Record<string, unknown>>;
  /** Notifications, each as a line. */
  readonly lines: readonly string[];
  readonly took?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly failure?: string;
  /** Refusal of the request: `_meta` of a result, or data of an error. */
  readonly refusal?: unknown;
}
