import type { JobEvent, JobUrn, PlatformAttempt } from "./job.ts";

/** The job of an event, as a sink sees it. */
export interface EventSource {
  readonly id: JobUrn;
  readonly tool: { readonly name: string };
  /** The job's token, verbatim. A sink that delivers events over the network sends it along. */
  readonly authorization: string | undefined;
  /** The platform's identification of the job's run, if the platform gave it. */
  readonly attempt?: PlatformAttempt | undefined;
}

/** A receiver of events besides the job itself: the log, the sidecar. */
export interface EventSink {
  /** Takes one event. Returns at once and never throws. Delivery is the sink's task. */
  emit(source: EventSource, event: JobEvent): void;
  /** Resolves when all events of the job so far are delivered or dropped; awaited before its result is sent. */
  flush?(id: JobUrn): Promise<void>;
  /** Delivers pending events and releases all resources. */
  close?(): Promise<void>;
}
