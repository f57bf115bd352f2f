import { context, createContextKey, createTraceState, propagation, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import type { Context, Span } from "@opentelemetry/api";
import { formatTraceparent, parseTraceContext } from "../../job/trace-context.ts";
import type { SentTrace } from "../../job/trace-context.ts";

/** In a context: the `JobSpan` of the job that code runs for. */
export const jobKey: symbol = createContextKey("tenon job");

/**
 * The context in which a call's span begins. An active span of the caller's trace is the parent, such as that of a
 * server's instrumentation; else the span that the call names. The context of another job is not the caller's: a job
 * that waited for its turn begins where the one before it ended.
 */
export function parentOf({ traceparent, tracestate, baggage }: SentTrace): Context {
  const active = context.active();
  const span = active.getValue(jobKey) === undefined ? trace.getSpan(active) : undefined;
  const sent = traceparent === undefined ? undefined : parseTraceContext(traceparent, tracestate);
  if (span !== undefined && (sent === undefined || sent.traceId === span.spanContext().traceId)) return active;
  let parent = ROOT_CONTEXT;
  // Only baggage: the propagator would take a `traceparent` that W3C does not allow.
  if (baggage !== undefined) parent = propagation.extract(parent, { baggage });
  if (sent === undefined) return parent;
  const { traceId, spanId, flags } = sent;
  return trace.setSpanContext(parent, {
    traceId,
    spanId,
    traceFlags: flags & sampledFlag,
    isRemote: true,
    ...(sent.tracestate !== undefined && { traceState: createTraceState(sent.tracestate) }),
  });
}

const sampledFlag = 1;

/** The header `traceparent` that makes a span the parent. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return formatTraceparent({ traceId, spanId, flags: traceFlags });
}

/** The header `baggage` of a context. */
export function baggageOf(of: Context): string | undefined {
  if (propagation.getBaggage(of) === undefined) return undefined;
  const carrier: { baggage?: string } = {};
  propagation.inject(trace.deleteSpan(of), carrier);
  return carrier.baggage;
}
