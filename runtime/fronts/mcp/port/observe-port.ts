import type { CallObserver, CallSpan, ObservedCall } from "../../../job/call-span.ts";
import type { McpCallEnd } from "./answers.ts";
import type { McpCallContext, McpPort, McpStartContext } from "./port.ts";

/**
 * Adds a span to every call of a tool, a prompt or a resource; the job's span is its child.
 *
 * @param names Names of the tools and prompts that exist; calls of others have spans without a name.
 */
export function observePort(
  port: McpPort,
  observer: CallObserver | undefined,
  transport: ObservedCall["transport"],
  names: ReadonlySet<string>,
): McpPort {
  if (observer === undefined) return port;
  const began = (method: ObservedCall["method"], target: string, context: McpStartContext): CallSpan => {
    const { traceparent, tracestate, baggage, requestId, revision, session } = context;
    return observer.began({
      method,
      target: method === "resources/read" || names.has(target) ? target : undefined,
      transport,
      traceparent,
      tracestate,
      baggage,
      requestId,
      revision,
      session,
    });
  };
  const awaited = async <T>(
    span: CallSpan,
    context: McpCallContext,
    run: (inside: McpCallContext) => Promise<T>,
  ): Promise<T> => {
    try {
      const answer = await span.run(() => run(below(context, span)));
      span.ended(undefined);
      return answer;
    } catch (thrown) {
      span.ended(faultType(thrown));
      throw thrown;
    }
  };
  const { prompts, resources } = port;
  return {
    ...port,
    startCall(tool, args, context, done) {
      const span = began("tools/call", tool, context);
      const inside = below(context, span);
      return span.run(() =>
        port.startCall(tool, args, inside, (end) => {
          span.ended(end instanceof Error ? faultType(end) : errorType(end));
          done(end);
        }),
      );
    },
    ...(prompts && {
      prompts: {
        ...prompts,
        get: (name, args, context) =>
          awaited(began("prompts/get", name, context), context, (inside) => prompts.get(name, args, inside)),
      },
    }),
    ...(resources && {
      resources: {
        ...resources,
        read: (uri, context) =>
          awaited(began("resources/read", uri, context), context, (inside) => resources.read(uri, inside)),
      },
    }),
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
