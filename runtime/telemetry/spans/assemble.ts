import { context } from "@opentelemetry/api";
import type { LoggerProvider, Meter, Tracer } from "@opentelemetry/api";
import type { JobObserver } from "../../job/job-span.ts";
import type { LoadModelCalls } from "../../job/model-call.ts";
import { flushLogs } from "../log/logging.ts";
import { logState } from "../log/log-state.ts";
import type { Telemetry } from "../telemetry.ts";
import { watchOutbound } from "../watch-outbound.ts";
import { createCallObserver } from "./call-spans.ts";
import { gaugeAdder } from "./gauge-adder.ts";
import { JobMetrics } from "./job-metrics.ts";
import { TracedJob } from "./job-spans.ts";
import type { JobSpansOptions } from "./job-spans.ts";
import { exportLogs } from "./log-export.ts";
import { captureVariable, readCapture } from "./read-capture.ts";
import { jobSpanStarter } from "./start-job-span.ts";

/** Name of the tracer and the meter. */
export const scopeName = "tenon";

/** Destinations of the telemetry of a service; a signal that goes nowhere is undefined. */
export interface Outlets extends Omit<JobSpansOptions, "tracer" | "capturesContents"> {
  readonly tracer: Tracer | undefined;
  readonly logs: LoggerProvider | undefined;
  readonly metricsText: Telemetry["metricsText"];
  /** Sends pending data. Never rejects. */
  close(): Promise<void>;
}

/** Puts the telemetry of a service together. It knows only the API, so it serves an author's own SDK as well. */
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
