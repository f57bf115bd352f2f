import type { JobObserver } from "../job/job-span.ts";
import type { CallObserver } from "../job/call-span.ts";
import type { Config, Environment } from "../service/config/config.ts";
import type { Served } from "../service/served.ts";

/** Name and description of a metric. */
export interface MetricNames {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
}

/** A value of a gauge, with attributes that distinguish it from other values. */
export interface GaugeValue {
  readonly value: number;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

export interface TelemetryOptions {
  readonly served: Pick<Served, "service" | "version">;
  readonly config: Pick<Config, "flags" | "logFormat" | "serviceId" | "serviceName">;
  /** `server`: the service receives requests. `consumer`: it fetches jobs. */
  readonly kind: "server" | "consumer";
  readonly env?: Environment;
}

/** The telemetry of a service. Members that are not needed are undefined, and cost nothing. */
export interface Telemetry {
  /** Observer for the executor. */
  readonly jobs: JobObserver | undefined;
  /** Observer of MCP calls. */
  readonly calls: CallObserver | undefined;
  /** All metrics in Prometheus' text format; defined if that is configured. */
  readonly metricsText?: (() => Promise<string>) | undefined;
  /** Adds a gauge; `read` is called whenever metrics are collected. Undefined if metrics are not collected. */
  readonly addGauge?: ((names: MetricNames, read: () => Promise<readonly GaugeValue[]>) => void) | undefined;
  /** Sends pending data, for at most two seconds. Never rejects. Repeated calls wait for the first. */
  close(): Promise<void>;
}

/** Telemetry of services that export nothing. */
export const noTelemetry: Telemetry = { jobs: undefined, calls: undefined, close: async () => {} };
