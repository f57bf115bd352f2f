import {
  context,
  isSpanContextValid,
  SamplingDecision,
  SpanKind,
  trace,
  TraceFlags,
  type Context,
  type Sampler,
  type Span,
  type Tracer,
  ROOT_CONTEXT,
} from "@opentelemetry/api";
import { RandomIdGenerator, type LogRecordProcessor, type SpanProcessor, suppressTracing } from "./official.ts";
import type { ExportWatch } from "./export-watch.ts";
import { AsyncLocalStorage } from "node:async_hooks";

interface Result {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter {
  export(items: never, done: (result: Result) => void): void;
}

const nothing = async (): Promise<void> => {};

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

/** A processor that counts the spans before they enter the queue behind it. */
export function countSpans(watch: ExportWatch): SpanProcessor {
  return {
    onStart() {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0) watch.taken();
    },
    forceFlush: nothing,
    shutdown: nothing,
  };
}

/**
 * Counts the log records that enter a queue, and drops those for which it has no room. The SDK would drop them as well,
 * but does not report it.
 */
export function countRecords(queue: LogRecordProcessor, watch: ExportWatch, mostQueued: number): LogRecordProcessor {
  return {
    onEmit(...record) {
      if (watch.queued >= mostQueued) return watch.spared();
      watch.taken();
      queue.onEmit(...record);
    },
    forceFlush: () => queue.forceFlush(),
    shutdown: () => queue.shutdown(),
  };
}

/**
 * Counts the items that an exporter sends and loses. Sending is deferred and runs outside of every job: the job that
 * fills a batch does not wait for its encoding, and the exporter's request does not get the job's context.
 */
export function watched<E extends Exporter>(exporter: E, watch: ExportWatch, count: (items: unknown) => number): E {
  const outside = AsyncLocalStorage.snapshot();
  const wrapper = Object.create(exporter) as E;
  const send = (items: never, done: (result: Result) => void): void => {
    exporter.export(items, (result) => {
      if (result.code === 0) watch.exported(count(items));
      else watch.failed(count(items), result.error ?? new Error("refused"));
      done(result);
    });
  };
  wrapper.export = (items, done) => {
    watch.handedOver(count(items));
    setImmediate(() => outside(() => context.with(suppressTracing(ROOT_CONTEXT), () => send(items, done))));
  };
  return wrapper;
}
