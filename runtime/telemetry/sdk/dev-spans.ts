import { devHostKey } from "../../contract/process-keys.ts";
import { currentJob } from "../../job/current-job.ts";
import type { SpanProcessor } from "./official.ts";

/** A span of author code, in the form that `tenon dev` notes. */
export interface SeenSpan {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Milliseconds. */
  readonly took: number;
  /** Message of the span's error, which may be empty; undefined without an error. */
  readonly error: string | undefined;
  readonly id: string;
  /** Id of the span around it. */
  readonly span: string | undefined;
  /** Start event of the step in which it began. */
  readonly start: object | undefined;
}

interface SpanHost {
  readonly span?: (job: string, span: SeenSpan) => void;
  readonly stepOf?: () => object | undefined;
}

/** Passes spans of authors within jobs to `tenon dev`; no processors without it. */
export function devSpans(ownScope: string): readonly SpanProcessor[] {
  const host = Reflect.get(globalThis, devHostKey) as SpanHost | undefined;
  if (host?.span === undefined) return [];
  const places = new WeakMap<object, { readonly job: string; readonly start: object | undefined }>();
  return [
    {
      onStart(span) {
        const job = currentJob.getStore();
        if (job !== undefined && span.instrumentationScope.name !== ownScope)
          places.set(span, { job: job.id, start: host.stepOf?.() });
      },
      onEnd(span) {
        const { job, start } = places.get(span) ?? {};
        const { name, startTime, duration, attributes, status } = span;
        // Spans of requests are skipped here, since requests are noted separately.
        if (job === undefined || "http.request.method" in attributes || "http.method" in attributes) return;
        const from = milliseconds(startTime);
        const took = milliseconds(duration);
        // Status code 2 means an error.
        const error = status.code === 2 ? (status.message ?? "") : undefined;
        const { spanId: id } = span.spanContext();
        host.span?.(job, { name, from, took, error, id, span: span.parentSpanContext?.spanId, start });
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ];
}

function milliseconds([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
