import type { JobEvent, JobUrn, PlatformAttempt } from "./job.ts";

/** The job that an event belongs to, as a sink sees it. */
export interface EventSource {
  readonly id: JobUrn;
  readonly tool: { readonly name: string };
  /** The job's token, verbatim; a sink that delivers events over the network sends it along. */
  readonly authorization: string | undefined;
  /** How the platform knows the job's run, when the platform gave it. */
  readonly attempt?: PlatformAttempt | undefined;
}

/** Where events go beside the job itself: the log, the sidecar. */
export interface EventSink {
  /** Takes one event. Returns at once and never throws; delivery is the sink's own business. */
  emit(source: EventSource, event: JobEvent): void;
  /** Resolves when all events of the job so far are delivered or given up; asked before its result goes out. */
  flush?(id: JobUrn): Promise<void>;
  /** Delivers what is left and releases everything. */
  close?(): Promise<void>;
}
