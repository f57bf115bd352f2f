/** An MCP call, as the OpenTelemetry conventions describe it. */
export interface ObservedCall {
  readonly tool: string;
  /** `pipe` for standard input and output, `tcp` for HTTP. */
  readonly transport: "pipe" | "tcp";
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Makes spans and metrics of MCP calls. */
export interface CallObserver {
  began(call: ObservedCall): CallSpan;
}

export interface CallSpan {
  /** Undefined when calls have no spans. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** `errorType`: `tool_error` for a result with `isError`, the code of a protocol error; undefined for success. */
  ended(errorType: string | undefined): void;
}
