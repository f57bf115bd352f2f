import type { SentTrace } from "./trace-context.ts";

/** An MCP call, as the OpenTelemetry conventions describe it. */
export interface ObservedCall extends SentTrace {
  readonly tool: string;
  /** `pipe` for standard input and output, `tcp` for HTTP. */
  readonly transport: "pipe" | "tcp";
}

/** Makes spans and metrics of MCP calls. */
export interface CallObserver {
  began(call: ObservedCall): CallSpan;
}

/** Its trace context is the job's caller; `traceparent` is undefined when calls have no spans. */
export interface CallSpan extends SentTrace {
  /** Runs code as part of the call: in it, the call's span is the active one. */
  run<T>(callback: () => T): T;
  /** `errorType`: `tool_error` for a result with `isError`, the code of a protocol error; undefined for success. */
  ended(errorType: string | undefined): void;
}
