import type { Config } from "../../../service/config/config.ts";
import { createLogSink } from "../../../telemetry/log/log-sink.ts";
import type { EventSink } from "../../../job/sink.ts";
import type { Job, JobUrn } from "../../../job/job.ts";
import type { CallOwner } from "../sidecar/call-owner.ts";
import type { PushEnd } from "./push-result.ts";
import type { ResultParcel } from "./result-parcel.ts";

export type DeliveryConfig = Pick<Config, "platformBaseUrl" | "spoolDir"> & {
  readonly flags: Pick<Config["flags"], "testWithoutSidecar">;
};

/** Where the events and results of a process go: to the sidecar, to the log, or nowhere. */
export interface Delivery {
  /** Sinks for an executor; closing them is the delivery's business. */
  readonly sinks: readonly EventSink[];
  /** Results go out, so that streams must be collected. */
  readonly reportsResults: boolean;
  /** Delivers the result of a job when it ends, for fronts whose caller may not wait for it. Returns at once. */
  report(job: Job, owner: CallOwner): void;
  /** Delivers a result once the events of its job are through; resolves when that is settled. Never rejects. */
  deliver(id: JobUrn, parcel: ResultParcel): Promise<PushEnd>;
  /** Resolves when the events of a job are delivered or given up. */
  flush(id: JobUrn): Promise<void>;
  /** The same for callers, who wait for a second at most and never for a sidecar that is down. Undefined: not at all. */
  catchUp(id: JobUrn): Promise<void> | undefined;
  /** Delivers what earlier processes left on disk; resolves when that is done. */
  redeliver(): Promise<void>;
  /** Delivers what is left for up to `patience` milliseconds, 2 s unless said; results that stay are on disk. */
  close(patience?: number): Promise<void>;
}

/** Without a sidecar events go to the log, or nowhere when they are not to be seen. */
export function deliveryToLog({ flags }: DeliveryConfig): Delivery {
  return {
    sinks: flags.testWithoutSidecar ? [] : [createLogSink()],
    reportsResults: false,
    report() {},
    deliver: () => Promise.resolve("stored"),
    flush: () => Promise.resolve(),
    catchUp: () => undefined,
    redeliver: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
