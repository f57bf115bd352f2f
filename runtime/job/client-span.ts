/** Attributes of an outbound request's span. */
export interface OutboundCall {
  readonly method: string;
  readonly url: URL;
}

/** Headers of the answer have arrived, or the request has failed. */
export type CallResult = { readonly status: number } | { readonly error: unknown };

/** The span of an outbound request. */
export interface ClientSpan {
  /** Goes into the request's headers. */
  readonly traceparent: string;
  /** Headers of other propagators than W3C's, which go along. */
  readonly others: Readonly<Record<string, string>> | undefined;
  /** Ends the span; later calls do nothing. */
  ended(result: CallResult): void;
}
