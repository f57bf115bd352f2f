import type { CallObserver, CallSpan, ObservedCall } from "../../../job/call-span.ts";
import type { McpCallEnd } from "./answers.ts";
import type { McpPort, McpStartContext } from "./port.ts";

/** Adds a span to every call of a tool; the job's span is its child. */
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
