/** Attributes of the span of an outbound request. */
export interface OutboundCall {
  readonly method: string;
  readonly url: URL;
}

/** Outcome of a request: the headers of the answer have arrived, or the request has failed. */
export type CallResult = { readonly status: number } | { readonly error: unknown };

/** The span of an outbound request. */
export interface ClientSpan {
  /** Trace context for the request's headers. */
  readonly traceparent: string;
  /** Further headers for the request, from other propagators than W3C's. */
  readonly others: Readonly<Record<string, string>> | undefined;
  /** Ends the span; later calls do nothing. */
  ended(result: CallResult): void;
}
