import { createTraceState, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import type { Context, SpanContext } from "@opentelemetry/api";
import { formatTraceparent, parseTraceContext } from "../trace-context.ts";

/** The caller's trace context as the SDK takes it; the root without one. */
export function parentContext(traceparent: string | undefined, tracestate: string | undefined): Context {
  const parent = parseTraceContext(traceparent, tracestate);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId, spanId, traceFlags: flags, isRemote: true },
    ...(parent.tracestate !== undefined && { traceState: createTraceState(parent.tracestate) }),
  });
}

/** The value of `traceparent` for what a span calls. */
export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return formatTraceparent({ traceId, spanId, flags: traceFlags });
}

/** The value of `tracestate` for what a span calls. */
export function tracestateOf({ traceState }: SpanContext): string | undefined {
  return traceState?.serialize() || undefined;
}
