import type { McpCallEnd, McpToolAnswer } from "./answers.ts";
import type { McpPort, McpStartContext } from "./port.ts";

/** A call over MCP, as the OpenTelemetry conventions describe it. */
export interface ObservedCall {
  readonly tool: string;
  /** `pipe` for standard input and output, `tcp` for HTTP. */
  readonly transport: "pipe" | "tcp";
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Makes spans and metrics of calls over MCP. */
export interface CallObserver {
  began(call: ObservedCall): CallSpan;
}

export interface CallSpan {
  /** Undefined when calls have no spans. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** `errorType`: `tool_error` for a result with `isError`, the code of a protocol fault; undefined when it went well. */
  ended(errorType: string | undefined): void;
}

/** The port with a span around every call of a tool; the job is the span's child. */
export function observePort(
  port: McpPort,
  observer: CallObserver | undefined,
  transport: ObservedCall["transport"],
): McpPort {
  if (observer === undefined) return port;
  const began = (tool: string, { traceparent, tracestate }: McpStartContext): CallSpan =>
    observer.began({ tool, transport, traceparent, tracestate });
  return {
    ...port,
    async callTool(tool, args, context) {
      const span = began(tool, context);
      let answer: McpToolAnswer;
      try {
        answer = await port.callTool(tool, args, below(context, span));
      } catch (thrown) {
        span.ended(faultType(thrown));
        throw thrown;
      }
      span.ended(errorType(answer));
      return answer;
    },
    startCall(tool, args, context, done) {
      const span = began(tool, context);
      return port.startCall(tool, args, below(context, span), (end) => {
        span.ended(end instanceof Error ? faultType(end) : errorType(end));
        done(end);
      });
    },
  };
}

function faultType(thrown: unknown): string {
  return String((thrown as { readonly code?: unknown } | null)?.code ?? "_OTHER");
}

function errorType(answer: Exclude<McpCallEnd, Error>): string | undefined {
  return "content" in answer && answer.isError === true ? "tool_error" : undefined;
}

function below<T extends McpStartContext>(context: T, { traceparent, tracestate }: CallSpan): T {
  if (traceparent === undefined) return context;
  const { traceparent: _, tracestate: __, ...rest } = context;
  return { ...rest, traceparent, ...(tracestate !== undefined && { tracestate }) } as T;
}
