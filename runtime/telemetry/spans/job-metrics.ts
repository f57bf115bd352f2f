import type { Counter, Histogram, Meter } from "@opentelemetry/api";
import type { ObservedJob } from "../../job/job-span.ts";

const boundaries = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Counts jobs and measures their duration. */
export class JobMetrics {
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
