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
  const began = (tool: string, { traceparent, tracestate, baggage }: McpStartContext): CallSpan =>
    observer.began({ tool, transport, traceparent, tracestate, baggage });
  return {
    ...port,
    startCall(tool, args, context, done) {
      const span = began(tool, context);
      const inside = below(context, span);
      return span.run(() =>
        port.startCall(tool, args, inside, (end) => {
          span.ended(end instanceof Error ? faultType(end) : errorType(end));
          done(end);
        }),
      );
    },
  };
}

function faultType(thrown: unknown): string {
  return String((thrown as { readonly code?: unknown } | null)?.code ?? "_OTHER");
}

function errorType(answer: Exclude<McpCallEnd, Error>): string | undefined {
  return "content" in answer && answer.isError === true ? "tool_error" : undefined;
}

function below<T extends McpStartContext>(context: T, { traceparent, tracestate, baggage }: CallSpan): T {
  return traceparent === undefined ? context : { ...context, traceparent, tracestate, baggage };
}
