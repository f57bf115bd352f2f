import type { CallObserver } from "../../job/call-span.ts";
import { encodeCommon } from "./encode-spans.ts";
import type { Instrument, OwnMetrics, Series } from "./own-metrics.ts";
import { remoteParent, Span } from "./span.ts";
import type { SpanSource } from "./span.ts";

/** Makes spans and the duration metric of MCP calls, with the names of the GenAI and MCP conventions. */
export function createCallObserver(
  spans: SpanSource | undefined,
  metrics: OwnMetrics | undefined,
): CallObserver | undefined {
  if (spans === undefined && metrics === undefined) return undefined;
  const duration = metrics?.histogram(
    {
      name: "mcp.server.operation.duration",
      unit: "s",
      description: "Time that the server takes for a request over MCP.",
    },
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
  );
  const kinds = new Map<string, CallKind>();
  const kindOf = (tool: string, transport: string): CallKind => {
    const key = `${transport} ${tool}`;
    let kind = kinds.get(key);
    if (kind === undefined) {
      kind = callKind(tool, transport, duration);
      // Names of unknown tools come from callers, so their number is bounded.
      if (kinds.size < maxKinds) kinds.set(key, kind);
    }
    return kind;
  };
  return {
    began({ tool, transport, traceparent, tracestate }) {
      const start = performance.now();
      const { common, durations } = kindOf(tool, transport);
      const parent = remoteParent(traceparent, tracestate);
      const span = spans && new Span(spans, { parent, isRemote: parent !== undefined, common });
      return {
        traceparent: span?.traceparent,
        tracestate: span?.tracestate,
        ended(errorType) {
          durations(errorType)?.record((performance.now() - start) / 1000);
          if (errorType !== undefined) span?.set("error.type", errorType).failed(errorType);
          span?.end();
        },
      };
    },
  };
}

/** Data that all calls of one tool share. */
interface CallKind {
  readonly common: Uint8Array;
  durations(errorType: string | undefined): Series | undefined;
}

const maxKinds = 1000;

function callKind(tool: string, transport: string, duration: Instrument | undefined): CallKind {
  const attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": tool,
    "gen_ai.operation.name": "execute_tool",
    "network.transport": transport,
  };
  const good = duration?.series(attributes);
  return {
    common: encodeCommon({ name: `tools/call ${tool}`, kind: "server", attributes }),
    durations: (errorType) =>
      errorType === undefined ? good : duration?.series({ ...attributes, "error.type": errorType }),
  };
}
