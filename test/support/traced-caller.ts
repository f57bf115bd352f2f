import { spansOf, type DecodedSpan } from "./otlp-decode.ts";
import type { OtlpSink } from "./otlp-sink.ts";

/** The span of a caller, whose trace goes on in the service. */
export const traceId = "0af7651916cd43dd8448eb211c80319c";
export const spanId = "b7ad6b7169203331";
/** The header that names it. */
export const traceparent: string = `00-${traceId}-${spanId}-01`;

/** All spans that a sink got. */
export function sunkSpans(sink: OtlpSink): readonly DecodedSpan[] {
  return sink.of("traces").flatMap(({ body }) => spansOf(body));
}

/** Each span's name with those of its parents, up to the caller's. */
export function spanPaths(all: readonly DecodedSpan[]): readonly string[] {
  const byId = new Map(all.map((span) => [span.spanId, span]));
  const path = (span: DecodedSpan): string => {
    const parent = byId.get(span.parentSpanId);
    const above = parent === undefined ? (span.parentSpanId === spanId ? "caller" : "?") : path(parent);
    return `${above} > ${span.name.replace("platform.", "")}`;
  };
  return all.map(path).toSorted();
}
