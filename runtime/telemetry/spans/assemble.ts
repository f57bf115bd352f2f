import {
  context,
  SpanKind,
  trace,
  type LoggerProvider,
  type Meter,
  type Tracer,
  type Counter,
  type Histogram,
} from "@opentelemetry/api";
import type { JobObserver, ObservedJob, LoadModelCalls } from "../../job/job-span.ts";
import { flushLogs, getLogger } from "../log/logging.ts";
import { logState } from "../log/log-state.ts";
import type { Telemetry } from "../telemetry.ts";
import { watchOutbound } from "../watch-outbound.ts";
import { createCallObserver } from "./call-spans.ts";
import { gaugeAdder } from "./gauge-adder.ts";
import { TracedJob, type JobSpansOptions } from "./job-spans.ts";
import { exportLogs } from "./log-export.ts";
import { hasOtherPropagators, otherParentOf, parentOf } from "./context.ts";
import { requestAttributes } from "./http-attributes.ts";
import { LateAttributes } from "./late-attributes.ts";

const boundaries = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Counts jobs and measures their duration. */
class JobMetrics {
  readonly #total: Counter;
  readonly #duration: Histogram;

  constructor(meter: Meter) {
    this.#total = meter.createCounter("platform.jobs_total", { unit: "1", description: "Jobs that have ended." });
    this.#duration = meter.createHistogram("platform.job_duration_seconds", {
      unit: "s",
      description: "Time from the begin of a job to its end.",
      advice: { explicitBucketBoundaries: boundaries },
    });
  }

  /** `seconds`: undefined for a job that never ran. */
  record({ tool, outcome }: ObservedJob, seconds: number | undefined): void {
    const ok = outcome?.state === "succeeded";
    const kind = outcome === undefined || outcome.state === "succeeded" ? undefined : outcome.error.kind;
    const attributes = { tool: tool.name, ok, ...(kind !== undefined && { error_type: kind }) };
    this.#total.add(1, attributes);
    if (seconds !== undefined) this.#duration.record(seconds, attributes);
  }
}

/** The standard variable that enables recording of messages to and from language models. */
const captureVariable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

const yes: ReadonlySet<string> = new Set(["true", "span_only", "span_and_event"]);
const no: ReadonlySet<string> = new Set(["", "false", "no_content"]);

/** Reads {@link captureVariable}: true when spans contain the messages. By default they do not. */
function readCapture(text = ""): boolean {
  const value = text.trim().toLowerCase();
  if (!yes.has(value) && !no.has(value))
    getLogger("tenon").warn(
      `${captureVariable}: ${JSON.stringify(text)} is ignored, so contents are not sent; ` +
        `known are ${[...yes, ...no].filter((name) => name !== "").join(", ")}. Spans have them, events do not.`,
    );
  return yes.has(value);
}

/** Name of the tracer and the meter. */
export const scopeName = "tenon";

/** Destinations of a service's telemetry; undefined for a signal that is not exported. */
export interface Outlets extends Omit<JobSpansOptions, "tracer" | "capturesContents"> {
  readonly tracer: Tracer | undefined;
  readonly logs: LoggerProvider | undefined;
  readonly metricsText: Telemetry["metricsText"];
  /** Sends pending data. Never rejects. */
  close(): Promise<void>;
}

/** Assembles the telemetry of a service. It uses only the API, so it works with an author's own SDK as well. */
export function assembleTelemetry(outlets: Outlets): Telemetry {
  const { tracer, meter, logs, metricsText, close } = outlets;
  const capturesContents = readCapture(process.env[captureVariable]);
  const target = logs && exportLogs(logs);
  if (target !== undefined) logState().listeners.add(target);
  const stopWatching = tracer !== undefined && outlets.watchesCalls ? watchOutbound() : undefined;
  let closed: Promise<void> | undefined;
  return {
    jobs: createJobObserver({ ...outlets, capturesContents }),
    calls: createCallObserver(tracer, meter),
    metricsText,
    addGauge: meter && gaugeAdder(meter),
    close: () =>
      (closed ??= flushLogs().then(async () => {
        stopWatching?.();
        if (target !== undefined) logState().listeners.delete(target);
        await close();
      })),
  };
}

function createJobObserver({
  tracer,
  meter,
  ...options
}: Outlets & Pick<JobSpansOptions, "capturesContents">): JobObserver | undefined {
  const metrics = meter && new JobMetrics(meter);
  if (tracer === undefined) return metrics && observeWithoutSpans(metrics, meter);
  const startJobSpan = jobSpanStarter({ ...options, tracer, meter });
  return {
    began: startJobSpan,
    ended(job) {
      if (!(job.span instanceof TracedJob)) return metrics?.record(job, undefined);
      const seconds = (performance.now() - job.span.start) / 1000;
      job.span.end(job);
      metrics?.record(job, seconds);
    },
    left({ span }) {
      if (span instanceof TracedJob) span.leave();
    },
  };
}

function observeWithoutSpans(metrics: JobMetrics, meter: Meter | undefined): JobObserver {
  const measureModelCalls: LoadModelCalls = async () => {
    const { modelCallStarter } = await import("./model/model-calls.ts");
    return modelCallStarter({
      tracer: undefined,
      meter,
      captures: false,
      current: () => context.active(),
      token: () => undefined,
      open: new Set(),
    });
  };
  return {
    began(job): undefined {
      job.observedFrom = performance.now();
      job.modelCalls = measureModelCalls;
    },
    ended(job) {
      const { observedFrom } = job;
      metrics.record(job, observedFrom === undefined ? undefined : (performance.now() - observedFrom) / 1000);
    },
  };
}

/** Creates the function that starts the span of a job, as a child of the caller's span. */
export function jobSpanStarter(options: JobSpansOptions): (job: ObservedJob) => TracedJob {
  const { tracer, serviceId } = options;
  const service = { ...(serviceId !== undefined && { "platform.service_id": serviceId }) };
  const kind = options.kind === "server" ? SpanKind.SERVER : SpanKind.CONSUMER;
  const readsOthers = hasOtherPropagators();
  return (job) => {
    const { http, isTakenUp = false, traceparent } = job.submission;
    const sent = parentOf(job.submission);
    const parent =
      readsOthers && http !== undefined && traceparent === undefined ? otherParentOf(sent, http.req.headers) : sent;
    // By the messaging conventions, a consumer that processes a job later links to the span of the sender.
    const submitter = isTakenUp || kind === SpanKind.CONSUMER ? trace.getSpanContext(parent) : undefined;
    const ids = { ...service, "platform.job_id": job.id };
    const spanOptions = new LateAttributes({
      kind,
      ...(submitter !== undefined && { links: [{ context: submitter }] }),
      attributes: () => ({ ...ids, "platform.tool": job.tool.name, ...(http && requestAttributes(http, job)) }),
    });
    const span = tracer.startSpan("platform.job", spanOptions, parent);
    return new TracedJob(span, parent, job, { ...options, ids });
  };
}
