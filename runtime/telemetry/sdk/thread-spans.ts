import {
  context,
  isSpanContextValid,
  metrics,
  propagation,
  trace,
  type Context,
  type Meter,
  type Tracer,
} from "@opentelemetry/api";
import { tenonVersion } from "../../base/version.ts";
import type { ObservedJob, SpanSettings } from "../../job/job-span.ts";
import type { SentTrace } from "../../job/trace-context.ts";
import { authorsSignals } from "../authors-signals.ts";
import { parentOf } from "../spans/context.ts";
import { scopeName } from "../spans/assemble.ts";
import { TracedJob, type ThreadSignals } from "../spans/job-spans.ts";
import { devSpans } from "./dev-spans.ts";
import {
  AsyncLocalStorageContextManager,
  TracerProvider,
  type ReadableSpan,
  type Resource,
  type SpanProcessor,
} from "./official.ts";
import { loadPropagator } from "./propagators.ts";
import { redactSpan, redactSpans } from "./redact-spans.ts";
import { fromSent, toSent, type SentSpan } from "./sent-span.ts";
import { createThreadMeters, type ThreadMeasures, type ThreadMeters } from "./thread-metrics.ts";
import { samplerOf, spanLimits } from "./tracing-settings.ts";

/** Sent when a span of a thread begins, and when it ends. */
export type ThreadSpanMessage = SentSpan;

/** Starts the spans of a thread's jobs. */
export type ThreadJobStarter = (
  job: Pick<ObservedJob, "authorization">,
  sent: SentTrace,
  options: SpanSettings,
) => TracedJob;

/**
 * Makes spans in a worker thread, also for the author's code, and sends them to the main thread, which exports them:
 * its queue survives if the thread is terminated. If the author has registered providers in the thread, those export
 * the spans.
 */
export async function traceThread(
  send: (message: ThreadSpanMessage | ThreadMeasures) => void,
): Promise<ThreadJobStarter> {
  const tracer = authorsSignals().has("trace") ? trace.getTracer(scopeName, tenonVersion) : await register(send);
  const meters = createThreadMeters(send);
  let meter: Meter | undefined;
  return (job, sent, { ids, watchesCalls, capturesContents, measures }) => {
    meter ??= registerMeters(measures ? meters : undefined);
    const parent: Context = parentOf(sent);
    const span = trace.getSpan(parent) ?? trace.wrapSpanContext({ traceId: "", spanId: "", traceFlags: 0 });
    return new TracedJob(span, parent, job, {
      tracer,
      watchesCalls,
      ids,
      meter,
      capturesContents,
      threads: undefined,
      flush: meters.flush,
    });
  };
}

/** Registers meters for the author's code as well; if the author has registered meters, those stay. */
function registerMeters(meters: ThreadMeters | undefined): Meter {
  if (meters !== undefined && !authorsSignals().has("metrics")) metrics.setGlobalMeterProvider(meters);
  return metrics.getMeter(scopeName, tenonVersion);
}

async function register(send: (message: ThreadSpanMessage) => void): Promise<Tracer> {
  const { env } = process;
  const forward: SpanProcessor = {
    // The span is sent when it begins, since the thread may be terminated while the span is open.
    onStart(span) {
      redactSpan(span, scopeName);
      send(toSent(span));
    },
    onEnd: (span) => send(toSent(span)),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new TracerProvider({
    sampler: samplerOf(env["OTEL_TRACES_SAMPLER"], env["OTEL_TRACES_SAMPLER_ARG"]),
    spanLimits: spanLimits(),
    spanProcessors: [redactSpans(scopeName), forward, ...devSpans(scopeName)],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(await loadPropagator(env["OTEL_PROPAGATORS"]));
  trace.setGlobalTracerProvider(provider);
  return provider.getTracer(scopeName, tenonVersion);
}

/** Receives spans and measured values of threads. Exports spans that are still open when their job ends. */
export class ReceivedSignals implements ThreadSignals {
  readonly #resource: Resource;
  readonly #measured: ((message: ThreadMeasures) => void) | undefined;
  readonly #ended: (span: ReadableSpan) => void;
  readonly #open = new WeakMap<object, Map<string, SentSpan>>();

  /** `measured`: undefined when nobody collects metrics. */
  constructor(
    resource: Resource,
    ended: (span: ReadableSpan) => void,
    measured: ((message: ThreadMeasures) => void) | undefined,
  ) {
    this.#resource = resource;
    this.#ended = ended;
    this.#measured = measured;
  }

  get measures(): boolean {
    return this.#measured !== undefined;
  }

  receive(job: object, message: unknown): void {
    if (isMeasures(message)) {
      this.#measured?.(message);
      return;
    }
    const span = message as ThreadSpanMessage;
    if (!isSpanContextValid(span.context as never)) return;
    let open = this.#open.get(job);
    if (open === undefined) this.#open.set(job, (open = new Map<string, SentSpan>()));
    if (!span.ended) {
      open.set(span.context.spanId, span);
      return;
    }
    open.delete(span.context.spanId);
    this.#ended(fromSent(span, this.#resource));
  }

  jobEnded(job: object): void {
    const now = Date.now();
    const endTime: [number, number] = [Math.floor(now / 1000), (now % 1000) * 1e6];
    for (const span of this.#open.get(job)?.values() ?? [])
      this.#ended(
        fromSent({ ...span, endTime, duration: between(span.startTime, endTime), ended: true }, this.#resource),
      );
    this.#open.delete(job);
  }
}

function between(
  [seconds, nanoseconds]: [number, number],
  [toSeconds, toNanoseconds]: [number, number],
): [number, number] {
  const more = toNanoseconds - nanoseconds;
  return more < 0 ? [toSeconds - seconds - 1, more + 1e9] : [toSeconds - seconds, more];
}

function isMeasures(message: unknown): message is ThreadMeasures {
  return typeof message === "object" && message !== null && "measures" in message;
}
