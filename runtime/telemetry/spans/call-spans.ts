import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Meter, Tracer } from "@opentelemetry/api";
import type { CallObserver } from "../../job/call-span.ts";
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
    began({ tool, transport, ...sent }) {
      const start = performance.now();
      const attributes = {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": tool,
        "gen_ai.operation.name": "execute_tool",
        "network.transport": transport,
      };
      const parent = parentOf(sent);
      const span = tracer?.startSpan(`tools/call ${tool}`, { kind: SpanKind.SERVER, attributes }, parent);
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
          const failed = errorType === undefined ? undefined : { "error.type": errorType };
          duration?.record((performance.now() - start) / 1000, { ...attributes, ...failed });
          if (failed !== undefined)
            span?.setAttributes(failed).setStatus({ code: SpanStatusCode.ERROR, message: errorType ?? "" });
          span?.end();
        },
      };
    },
  };
}
