import type { JobObserver, ObservedJob } from "../../job/job-span.ts";
import { flushLogs, getLogger } from "../log/logging.ts";
import { logState } from "../log/log-state.ts";
import type { ExportPlan } from "../export/resolve-export.ts";
import type { Telemetry } from "../telemetry.ts";
import { watchOutbound } from "../watch-outbound.ts";
import { tenonVersion } from "../../base/version.ts";
import { createCallObserver } from "./call-spans.ts";
import { createSdk } from "./create-sdk.ts";
import type { Origin, Sdk } from "./create-sdk.ts";
import { jobSpanStarter, SdkJobSpan } from "./job-spans.ts";
import type { JobSpansOptions } from "./job-spans.ts";
import { JobMetrics } from "./record-job.ts";

/** Maximum milliseconds that telemetry may delay the end of the process. */
const patience = 2000;

/** Telemetry by the OpenTelemetry SDK. */
export function createTelemetry(plan: ExportPlan, origin: Origin, kind: "server" | "consumer"): Telemetry {
  const sdk = createSdk(plan, origin, tenonVersion);
  const { spans, metrics, logs } = sdk;
  if (logs !== undefined) logState().listeners.add(logs);
  const watchesCalls = spans !== undefined && plan.instrumentOutbound;
  const stopWatching = watchesCalls ? watchOutbound() : undefined;
  let closed: Promise<void> | undefined;
  return {
    jobs: createJobObserver(sdk, { kind, serviceId: origin.serviceId, watchesCalls }),
    calls: createCallObserver(spans, metrics),
    close: () =>
      (closed ??= flushLogs().then(async () => {
        stopWatching?.();
        if (logs !== undefined) logState().listeners.delete(logs);
        await atMost(patience, sdk.close());
        tellUnsent(plan, sdk);
      })),
  };
}

function createJobObserver({ spans, metrics }: Sdk, options: Omit<JobSpansOptions, "spans">): JobObserver | undefined {
  const jobMetrics = metrics && new JobMetrics(metrics);
  if (spans === undefined) return jobMetrics && observeWithoutSpans(jobMetrics);
  const startJobSpan = jobSpanStarter({ ...options, spans });
  return {
    began: startJobSpan,
    ended(job) {
      if (!(job.span instanceof SdkJobSpan)) return jobMetrics?.record(job, undefined);
      job.span.end(job);
      const { start, finish } = job.span.span;
      jobMetrics?.record(job, (finish - start) / 1000);
    },
  };
}

function observeWithoutSpans(metrics: JobMetrics): JobObserver {
  const starts = new WeakMap<ObservedJob, number>();
  return {
    began(job): undefined {
      starts.set(job, performance.now());
    },
    ended(job) {
      const start = starts.get(job);
      metrics.record(job, start === undefined ? undefined : (performance.now() - start) / 1000);
    },
  };
}

/**
 * Warns about unsent data. Without it a short run would lose everything silently, since the exporter retries for
 * longer.
 */
function tellUnsent({ signals }: ExportPlan, { unsent }: Sdk): void {
  if (unsent.size === 0) return;
  const where = new Set([...unsent].map((signal) => new URL(signals[signal]?.url ?? "").origin));
  getLogger("tenon").warn(
    `telemetry: ${[...unsent].join(", ")} of the last seconds did not arrive within ${patience / 1000} s, and are lost. ` +
      `Is the collector at ${[...where].join(", ")} up?`,
  );
}

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
