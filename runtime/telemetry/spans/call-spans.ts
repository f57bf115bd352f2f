import { context, SpanKind, SpanStatusCode, trace, type Attributes, type Meter, type Tracer } from "@opentelemetry/api";
import type { CallObserver, ObservedCall } from "../../job/call-span.ts";
import { cleanText } from "./attributes.ts";
import { baggageOf, parentOf, traceparentOf } from "./context.ts";

const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Makes spans and the duration metric of MCP calls, with the names of the GenAI and MCP conventions. */
export function createCallObserver(tracer: Tracer | undefined, meter: Meter | undefined): CallObserver | undefined {
  if (tracer === undefined && meter === undefined) return undefined;
  const duration = meter?.createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "Time that the server takes for a request over MCP.",
    advice: { explicitBucketBoundaries: boundaries },
  });
  return {
    began(call) {
      const start = performance.now();
      const { traceparent, tracestate, baggage } = call;
      const sent = { traceparent, tracestate, baggage };
      const attributes = sharedAttributes(call);
      const parent = parentOf(sent);
      const span = tracer?.startSpan(
        nameOf(call),
        { kind: SpanKind.SERVER, attributes: { ...attributes, ...spanAttributes(call) } },
        parent,
      );
      const inside = span === undefined ? parent : trace.setSpan(parent, span);
      return {
        ...(span === undefined
          ? sent
          : {
              traceparent: traceparentOf(span),
              tracestate: span.spanContext().traceState?.serialize(),
              baggage: baggageOf(inside),
            }),
        run: (callback) => context.with(inside, callback),
        ended(errorType) {
          const failed = errorType === undefined ? undefined : failure(errorType);
          duration?.record((performance.now() - start) / 1000, { ...attributes, ...failed });
          if (failed !== undefined)
            span?.setAttributes(failed).setStatus({ code: SpanStatusCode.ERROR, message: errorType ?? "" });
          span?.end();
        },
      };
    },
  };
}

/** Span names must have few different values, so they do not contain the address of a resource, or unknown names. */
function nameOf({ method, target }: ObservedCall): string {
  return method === "resources/read" || target === undefined ? method : `${method} ${target}`;
}

/** Attributes of span and metric. */
function sharedAttributes({ method, target, transport, revision }: ObservedCall): Attributes {
  return {
    "mcp.method.name": method,
    ...(method === "tools/call" && { "gen_ai.operation.name": "execute_tool" }),
    ...(method === "tools/call" && target !== undefined && { "gen_ai.tool.name": target }),
    ...(method === "prompts/get" && target !== undefined && { "gen_ai.prompt.name": target }),
    ...(revision !== undefined && revisionShape.test(revision) && { "mcp.protocol.version": revision }),
    "network.transport": transport,
    ...(transport === "tcp" && { "network.protocol.name": "http" }),
  };
}

const revisionShape = /^\d{4}-\d{2}-\d{2}$/;

/** Attributes of the span alone. */
function spanAttributes({ method, target, requestId, session }: ObservedCall): Attributes {
  return {
    ...(method === "resources/read" && target !== undefined && { "mcp.resource.uri": cleanText(target, undefined) }),
    ...(requestId !== undefined && { "jsonrpc.request.id": cleanText(String(requestId), undefined) }),
    ...(session !== undefined && { "mcp.session.id": session }),
  };
}

/** The code of a JSON-RPC error is also recorded as the response's status. */
function failure(errorType: string): Attributes {
  return { "error.type": errorType, ...(/^-?\d+$/.test(errorType) && { "rpc.response.status_code": errorType }) };
}
