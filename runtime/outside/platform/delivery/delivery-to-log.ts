import type { Config } from "../../../service/config/config.ts";
import { createLogSink } from "../../../telemetry/log/log-sink.ts";
import type { EventSink } from "../../../job/sink.ts";
import type { Job, JobUrn } from "../../../job/job.ts";
import type { CallOwner } from "../sidecar/call-owner.ts";
import type { PushEnd } from "./push-result.ts";
import type { ResultRequest } from "./result-request.ts";

export type DeliveryConfig = Pick<Config, "platformBaseUrl" | "spoolDir"> & {
  readonly flags: Pick<Config["flags"], "testWithoutSidecar">;
};

/** A result, and what became of it. Without a request, nobody wanted it when it was packed. */
export interface Delivered {
  readonly request?: ResultRequest;
  readonly end: PushEnd;
}

/** Delivers the events and results of a process: to the sidecar, to the log, or nowhere. */
export interface Delivery {
  /** Sinks for an executor. The delivery closes them itself. */
  readonly sinks: readonly EventSink[];
  /** Results are delivered, so streams must be collected. */
  readonly reportsResults: boolean;
  /** Delivers the result of a job when it ends, for protocols whose callers may stop waiting. Returns at once. */
  report(job: Job, owner: CallOwner): void;
  /**
   * Delivers a result after the events of its job. Resolves when it is delivered or given up; never rejects.
   * @param pack Packs the result for the attempt that holds the job now: while the sidecar does not take the events, the
   * platform may hand out the job again, or drop it: then `pack` returns undefined
   * @param makeWay Called now and then while the sidecar answers without taking the result: others may go first
   */
  deliver(id: JobUrn, pack: () => Promise<ResultRequest | undefined>, makeWay?: () => void): Promise<Delivered>;
  /** Resolves when the events of a job are delivered or dropped. */
  flush(id: JobUrn): Promise<void>;
  /**
   * Flushes a job's events for a waiting caller: for at most a second, and not while the sidecar is down. Undefined if
   * there is nothing to wait for.
   */
  catchUp(id: JobUrn): Promise<void> | undefined;
  /** Delivers results that earlier processes left on disk; resolves when done. */
  redeliver(): Promise<void>;
  /** Delivers pending items for up to `patience` milliseconds (default 2 s). Results that remain are on disk. */
  close(patience?: number): Promise<void>;
}

/** Without a sidecar, events go to the log, or nowhere in silent mode. */
export function deliveryToLog({ flags }: DeliveryConfig): Delivery {
  return {
    sinks: flags.testWithoutSidecar ? [] : [createLogSink()],
    reportsResults: false,
    report() {},
    async deliver(_, pack) {
      const request = await pack();
      return request === undefined ? { end: "stale" } : { request, end: "stored" };
    },
    flush: () => Promise.resolve(),
    catchUp: () => undefined,
    redeliver: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
