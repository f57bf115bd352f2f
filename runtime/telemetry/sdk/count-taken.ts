import { TraceFlags } from "@opentelemetry/api";
import type { ExportWatch } from "./export-watch.ts";
import type { LogRecordProcessor, SpanProcessor } from "./official.ts";

const nothing = async (): Promise<void> => {};

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

/** A processor that counts the log records before they enter the queue behind it. */
export function countRecords(watch: ExportWatch): LogRecordProcessor {
  return { onEmit: () => watch.taken(), forceFlush: nothing, shutdown: nothing };
}
