import {
  context,
  createContextKey,
  createTraceState,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type Span,
} from "@opentelemetry/api";
import { formatTraceparent, parseTraceContext, type SentTrace } from "../../job/trace-context.ts";
import { flattened } from "./flat-context.ts";

/** Key under which a context contains the `JobSpan` of the job for which code runs. */
export const jobKey: symbol = createContextKey("tenon job");

/**
 * Returns the parent context of a call's span. If a span of the caller's trace is active, such as that of a server's
 * instrumentation, it is the parent; else the span that the call names. The active span is not always right: a job that
 * waited for its turn begins in the context in which the previous job ended.
 */
export function parentOf({ traceparent, tracestate, baggage }: SentTrace): Context {
  const active = context.active();
  const span = active.getValue(jobKey) === undefined ? trace.getSpan(active) : undefined;
  const sent = traceparent === undefined ? undefined : parseTraceContext(traceparent, tracestate);
  if (span !== undefined && (sent === undefined || sent.traceId === span.spanContext().traceId)) return active;
  let parent = flattened(ROOT_CONTEXT);
  // Only baggage is extracted here: the propagator would accept a `traceparent` that W3C does not allow.
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

/** Headers of W3C's two propagators, which the outbound rules set with or without telemetry. */
const w3cHeaders: ReadonlySet<string> = new Set(["traceparent", "tracestate", "baggage"]);

/** True when a propagator other than W3C's is registered, such as B3. */
export function hasOtherPropagators(): boolean {
  return propagation.fields().some((name) => !w3cHeaders.has(name.toLowerCase()));
}

/**
 * Returns the context that headers of other propagators name. If the caller sent a `traceparent`, that takes
 * precedence.
 */
export function otherParentOf(parent: Context, headers: Readonly<Record<string, unknown>>): Context {
  const others = Object.entries(headers).filter(([name]) => !w3cHeaders.has(name));
  return propagation.extract(parent, Object.fromEntries(others));
}

/** The headers of other propagators for a span. */
export function otherHeadersOf(parent: Context, span: Span): Readonly<Record<string, string>> {
  const carrier: Record<string, string> = {};
  propagation.inject(trace.setSpan(parent, span), carrier);
  return Object.fromEntries(Object.entries(carrier).filter(([name]) => !w3cHeaders.has(name.toLowerCase())));
}

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
