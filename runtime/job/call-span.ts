import type { SentTrace } from "./trace-context.ts";

/** An MCP call, as the OpenTelemetry conventions describe it. */
export interface ObservedCall extends SentTrace {
  readonly method: "tools/call" | "prompts/get" | "resources/read";
  /**
   * Name of the tool or prompt, or address of the resource; undefined for a name that the service does not have, since
   * names that clients invent would each become a metric series.
   */
  readonly target: string | undefined;
  readonly requestId?: string | number | undefined;
  /** Revision of MCP. */
  readonly revision?: string | undefined;
  readonly session?: string | undefined;
  /** `pipe` for standard input and output, `tcp` for HTTP. */
  readonly transport: "pipe" | "tcp";
}

/** Makes spans and metrics of MCP calls. */
export interface CallObserver {
  began(call: ObservedCall): CallSpan;
}

/**
 * Trace context of the call, under which the job's span begins; `traceparent` is undefined when calls have no spans.
 */
export interface CallSpan extends SentTrace {
  /** Runs code as part of the call: in it, the call's span is the active one. */
  run<T>(callback: () => T): T;
  /**
   * `errorType`: `tool_error` for a result with `isError`, else the code of a protocol error, or its class; undefined
   * for success.
   */
  ended(errorType: string | undefined): void;
}
