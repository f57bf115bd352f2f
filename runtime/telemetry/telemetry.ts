import type { JobObserver } from "../job/job-span.ts";
import type { CallObserver } from "../job/call-span.ts";

/** The telemetry of a service. Members that there is nothing to do for are undefined, and cost nothing. */
export interface Telemetry {
  /** For the executor. */
  readonly jobs: JobObserver | undefined;
  /** For MCP fronts. */
  readonly calls: CallObserver | undefined;
  /** Sends what is left, for at most two seconds. Never rejects; further calls wait for the first. */
  close(): Promise<void>;
}

/** Of services that export nothing. */
export const noTelemetry: Telemetry = { jobs: undefined, calls: undefined, close: async () => {} };
