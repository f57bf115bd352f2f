import type { JobSpan } from "./job-span.ts";

/** An outbound request as its span shows it. */
export interface OutboundCall {
  readonly method: string;
  readonly url: URL;
}

/** Makes spans of outbound calls. */
export interface ClientSpans {
  /** The call is made now, by code that runs for the job. */
  start(job: JobSpan, call: OutboundCall): ClientSpan;
}

export interface ClientSpan {
  /** For the request's headers. */
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  /** The head of the answer has come, or the request has failed; later calls do nothing. */
  ended(result: { readonly status: number } | { readonly error: unknown }): void;
}
