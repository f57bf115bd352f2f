import { devHostKey } from "../../contract/process-keys.ts";
import { currentJob } from "../../job/current-job.ts";
import type { SpanProcessor } from "./official.ts";

/** A span of author code, in the form that `tenon dev` notes. */
interface SeenSpan {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Milliseconds. */
  readonly took: number;
  /** Message of the span's error, which may be empty; undefined without an error. */
  readonly error: string | undefined;
}

interface SpanHost {
  readonly span?: (job: string, span: SeenSpan) => void;
}

/** Passes spans of authors within jobs to `tenon dev`; no processors without it. */
export function devSpans(ownScope: string): readonly SpanProcessor[] {
  const host = Reflect.get(globalThis, devHostKey) as SpanHost | undefined;
  if (host?.span === undefined) return [];
  const jobs = new WeakMap<object, string>();
  return [
    {
      onStart(span) {
        const job = currentJob.getStore();
        if (job !== undefined && span.instrumentationScope.name !== ownScope) jobs.set(span, job.id);
      },
      onEnd(span) {
        const job = jobs.get(span);
        const { name, startTime, duration, attributes, status } = span;
        // Spans of requests are skipped here, since requests are noted separately.
        if (job === undefined || "http.request.method" in attributes || "http.method" in attributes) return;
        const from = milliseconds(startTime);
        const took = milliseconds(duration);
        // Status code 2 means an error.
        host.span?.(job, { name, from, took, error: status.code === 2 ? (status.message ?? "") : undefined });
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ];
}

function milliseconds([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
