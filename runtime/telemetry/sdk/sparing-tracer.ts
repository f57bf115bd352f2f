import { context, isSpanContextValid, SamplingDecision, SpanKind, trace, TraceFlags } from "@opentelemetry/api";
import type { Context, Sampler, Span, Tracer } from "@opentelemetry/api";
import { RandomIdGenerator } from "./official.ts";

/** The queue in front of an exporter of spans. */
export interface SpanQueue {
  isFull(): boolean;
  /** Called for each span that is not created. */
  spared(): void;
}

/**
 * Creates a tracer that does not record spans while the queue is full. Such a span would be dropped when it ends, and
 * creating it costs a short job more than the rest of telemetry. Its trace context is still passed on, so that called
 * services decide about sampling as usual. Its attributes are not read.
 */
export function sparingTracer(tracer: Tracer, sampler: Sampler, queue: SpanQueue | undefined): Tracer {
  if (queue === undefined) return tracer;
  const ids = new RandomIdGenerator();
  const startUnrecorded = (name: string, kind: SpanKind, parent: Context): Span => {
    const above = trace.getSpanContext(parent);
    const valid = above !== undefined && isSpanContextValid(above) ? above : undefined;
    const traceId = valid?.traceId ?? ids.generateTraceId();
    const { decision, traceState = valid?.traceState } = sampler.shouldSample(parent, traceId, name, kind, {}, []);
    const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
    if (isSampled) queue.spared();
    return trace.wrapSpanContext({
      traceId,
      spanId: ids.generateSpanId(),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      ...(traceState !== undefined && { traceState }),
    });
  };
  return {
    startSpan: (name, options, parent = context.active()) =>
      queue.isFull()
        ? startUnrecorded(name, options?.kind ?? SpanKind.INTERNAL, parent)
        : tracer.startSpan(name, options, parent),
    startActiveSpan: tracer.startActiveSpan.bind(tracer) as Tracer["startActiveSpan"],
  };
}
