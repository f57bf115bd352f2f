import type { JobObserver, JobSpan, ObservedJob } from "../job-span.ts";
import { flushLogs } from "../logging.ts";
import { logState } from "../log-state.ts";
import type { ExportPlan } from "../resolve-export.ts";
import type { Telemetry } from "../telemetry.ts";
import { tenonVersion } from "../../version.ts";
import { createCallObserver } from "./call-spans.ts";
import { createClientSpans } from "./client-spans.ts";
import { createSdk } from "./create-sdk.ts";
import type { Origin, Sdk } from "./create-sdk.ts";
import { SdkJobSpan, startJobSpan } from "./job-spans.ts";
import { JobMetrics } from "./record-job.ts";
import { watchOutbound } from "./watch-outbound.ts";

/** Milliseconds that the end of the process may take for telemetry. */
const patience = 2000;

/** Telemetry on the OpenTelemetry SDK. */
export function createTelemetry(plan: ExportPlan, origin: Origin, kind: "server" | "consumer"): Telemetry {
  const sdk = createSdk(plan, origin, tenonVersion);
  const { tracer, meter, logs } = sdk;
  if (logs !== undefined) logState().listeners.add(logs);
  const stopWatching =
    tracer !== undefined && plan.instrumentOutbound ? watchOutbound(createClientSpans(tracer)) : undefined;
  let closed: Promise<void> | undefined;
  return {
    jobs: createJobObserver(sdk, kind, origin.serviceId),
    calls: createCallObserver(tracer, meter),
    close: () =>
      (closed ??= flushLogs().then(async () => {
        stopWatching?.();
        if (logs !== undefined) logState().listeners.delete(logs);
        await atMost(patience, sdk.close());
      })),
  };
}

function createJobObserver(
  { tracer, spanIds, meter }: Sdk,
  kind: "server" | "consumer",
  serviceId: string | undefined,
): JobObserver | undefined {
  if (tracer === undefined && meter === undefined) return undefined;
  const metrics = meter && new JobMetrics(meter);
  // Spans have their own clock; without them it takes one for the metrics.
  const starts = new WeakMap<ObservedJob, number>();
  return {
    began(job): JobSpan | undefined {
      if (metrics !== undefined) starts.set(job, performance.now());
      return tracer && startJobSpan(job, { tracer, spanIds, kind, serviceId });
    },
    ended(job) {
      const start = starts.get(job);
      metrics?.record(job, start === undefined ? undefined : (performance.now() - start) / 1000);
      if (job.span instanceof SdkJobSpan) job.span.end(job);
    },
  };
}

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
