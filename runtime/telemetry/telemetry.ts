import type { JobObserver } from "../job/job-span.ts";
import type { CallObserver } from "../job/call-span.ts";
import type { Config, Environment } from "../service/config/config.ts";
import type { Served } from "../service/served.ts";

/** Name and texts of a metric. */
export interface MetricNames {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
}

/** A value of a gauge, with what tells it from the others. */
export interface GaugeValue {
  readonly value: number;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

export interface TelemetryOptions {
  readonly served: Pick<Served, "service" | "version">;
  readonly config: Pick<Config, "flags" | "logFormat" | "serviceId" | "serviceName">;
  /** `server`: jobs are requested from it. `consumer`: it fetches jobs. */
  readonly kind: "server" | "consumer";
  readonly env?: Environment;
}

/** The telemetry of a service. A member without a task is undefined, and costs nothing. */
export interface Telemetry {
  /** Observer for the executor. */
  readonly jobs: JobObserver | undefined;
  /** Observer for MCP fronts. */
  readonly calls: CallObserver | undefined;
  /** All metrics in Prometheus' text form; defined when that was asked for. */
  readonly metricsText?: (() => Promise<string>) | undefined;
  /** Adds a gauge; `read` is called whenever metrics are collected. Undefined when nobody collects metrics. */
  readonly addGauge?: ((names: MetricNames, read: () => Promise<readonly GaugeValue[]>) => void) | undefined;
  /** Sends pending data, for at most two seconds. Never rejects. Repeated calls wait for the first. */
  close(): Promise<void>;
}

/** Of services that export nothing. */
export const noTelemetry: Telemetry = { jobs: undefined, calls: undefined, close: async () => {} };
