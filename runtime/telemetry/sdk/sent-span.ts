import { createTraceState, type SpanContext } from "@opentelemetry/api";
import type { ReadableSpan, Resource } from "./official.ts";

/** A span context without methods; see {@link SentSpan}. */
interface SentContext extends Omit<SpanContext, "traceState"> {
  readonly traceState?: string;
}

/** A span as plain data, which can be sent between threads. */
export interface SentSpan extends Pick<
  ReadableSpan,
  | "name"
  | "kind"
  | "startTime"
  | "endTime"
  | "duration"
  | "ended"
  | "status"
  | "attributes"
  | "events"
  | "instrumentationScope"
  | "droppedAttributesCount"
  | "droppedEventsCount"
  | "droppedLinksCount"
> {
  readonly context: SentContext;
  readonly parent: SentContext | undefined;
  readonly links: readonly (Omit<ReadableSpan["links"][number], "context"> & { readonly context: SentContext })[];
}

/** Converts a span into data. */
export function toSent(span: ReadableSpan): SentSpan {
  return {
    name: span.name,
    kind: span.kind,
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: span.status,
    attributes: span.attributes,
    events: span.events,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
    context: toSentContext(span.spanContext()),
    parent: span.parentSpanContext && toSentContext(span.parentSpanContext),
    links: span.links.map((link) => ({ ...link, context: toSentContext(link.context) })),
  };
}

/** Converts data back to a span: the inverse of {@link toSent}. */
export function fromSent({ context, parent, links, ...span }: SentSpan, resource: Resource): ReadableSpan {
  const own = fromSentContext(context);
  return {
    ...span,
    resource,
    spanContext: () => own,
    ...(parent !== undefined && { parentSpanContext: fromSentContext(parent) }),
    links: links.map((link) => ({ ...link, context: fromSentContext(link.context) })),
  };
}

function toSentContext({ traceState, ...context }: SpanContext): SentContext {
  return { ...context, ...(traceState !== undefined && { traceState: traceState.serialize() }) };
}

function fromSentContext({ traceState, ...context }: SentContext): SpanContext {
  return { ...context, ...(traceState !== undefined && { traceState: createTraceState(traceState) }) };
}
