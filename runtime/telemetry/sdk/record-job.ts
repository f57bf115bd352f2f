import type { ObservedJob } from "../../job/job-span.ts";
import type { Instrument, OwnMetrics, Series } from "./own-metrics.ts";

interface JobSeries {
  readonly total: Series;
  readonly duration: Series;
}

const boundaries = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Counts jobs and measures their duration. */
export class JobMetrics {
  readonly #total: Instrument;
  readonly #duration: Instrument;
  /** By tool, then by error kind; there are few of both. */
  readonly #series = new Map<string, Map<string | undefined, JobSeries>>();

  constructor(metrics: OwnMetrics) {
    this.#total = metrics.counter({ name: "platform.jobs_total", unit: "1", description: "Jobs that have ended." });
    this.#duration = metrics.histogram(
      { name: "platform.job_duration_seconds", unit: "s", description: "Time from the begin of a job to its end." },
      boundaries,
    );
  }

  /** `seconds`: undefined for a job that never ran. */
  record({ tool, outcome }: ObservedJob, seconds: number | undefined): void {
    const kind = outcome === undefined || outcome.state === "succeeded" ? outcome?.state : outcome.error.kind;
    const { total, duration } = this.#series.get(tool.name)?.get(kind) ?? this.#add(tool.name, kind);
    total.record(1);
    if (seconds !== undefined) duration.record(seconds);
  }

  #add(tool: string, kind: string | undefined): JobSeries {
    const ok = kind === "succeeded";
    const attributes = { tool, ok, ...(!ok && kind !== undefined && { error_type: kind }) };
    const series = { total: this.#total.series(attributes), duration: this.#duration.series(attributes) };
    let ofTool = this.#series.get(tool);
    if (ofTool === undefined) this.#series.set(tool, (ofTool = new Map<string | undefined, JobSeries>()));
    ofTool.set(kind, series);
    return series;
  }
}
