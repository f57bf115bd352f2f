/** An outbound request as its span shows it. */
export interface OutboundCall {
  readonly method: string;
  readonly url: URL;
}

/** The head of the answer has come, or the request has failed. */
export type CallResult = { readonly status: number } | { readonly error: unknown };

/** The span of an outbound request. */
export interface ClientSpan {
  /** For the request's headers. */
  readonly traceparent: string;
  /** Later calls do nothing. */
  ended(result: CallResult): void;
}
