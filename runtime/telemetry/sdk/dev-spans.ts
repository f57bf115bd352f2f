import { devHostKey } from "../../contract/process-keys.ts";
import { currentJob } from "../../job/current-job.ts";
import type { SpanProcessor } from "./official.ts";

/** A span of author code, as `tenon dev` notes it. */
interface SeenSpan {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Milliseconds. */
  readonly took: number;
  /** Message of its error, which may be empty; undefined without one. */
  readonly error: string | undefined;
}

interface SpanHost {
  readonly span?: (job: string, span: SeenSpan) => void;
}

/** Shows `tenon dev` the spans of authors within jobs; nothing elsewhere. */
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
        // Requests are noted as such.
        if (job === undefined || "http.request.method" in attributes || "http.method" in attributes) return;
        const from = milliseconds(startTime);
        const took = milliseconds(duration);
        // 2 stands for an error.
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
