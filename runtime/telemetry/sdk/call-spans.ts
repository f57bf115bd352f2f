import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { Histogram, Meter, Tracer } from "@opentelemetry/api";
import type { CallObserver } from "../mcp-span.ts";
import { parentContext, traceparentOf, tracestateOf } from "./parent-context.ts";

/** Spans and the duration metric of calls over MCP, with the names of the GenAI and MCP conventions. */
export function createCallObserver(tracer: Tracer | undefined, meter: Meter | undefined): CallObserver | undefined {
  if (tracer === undefined && meter === undefined) return undefined;
  const duration: Histogram | undefined = meter?.createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "Time that the server takes for a request over MCP.",
    advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
  });
  return {
    began({ tool, transport, traceparent, tracestate }) {
      const start = performance.now();
      const attributes = {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": tool,
        "gen_ai.operation.name": "execute_tool",
        "network.transport": transport,
      };
      const span = tracer?.startSpan(
        `tools/call ${tool}`,
        { kind: SpanKind.SERVER, attributes },
        parentContext(traceparent, tracestate),
      );
      const context = span?.spanContext();
      return {
        traceparent: context && traceparentOf(context),
        tracestate: context && tracestateOf(context),
        ended(errorType) {
          const failure = errorType === undefined ? {} : { "error.type": errorType };
          duration?.record((performance.now() - start) / 1000, { ...attributes, ...failure });
          if (errorType !== undefined)
            span?.setAttributes(failure).setStatus({ code: SpanStatusCode.ERROR, message: errorType });
          span?.end();
        },
      };
    },
  };
}
