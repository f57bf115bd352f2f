import type { JobObserver } from "../job/job-span.ts";
import type { CallObserver } from "../job/call-span.ts";

/** The telemetry of a service. A member without a task is undefined, and costs nothing. */
export interface Telemetry {
  /** Observer for the executor. */
  readonly jobs: JobObserver | undefined;
  /** Observer for MCP fronts. */
  readonly calls: CallObserver | undefined;
  /** Sends pending data, for at most two seconds. Never rejects. Repeated calls wait for the first. */
  close(): Promise<void>;
}

/** Of services that export nothing. */
export const noTelemetry: Telemetry = { jobs: undefined, calls: undefined, close: async () => {} };
