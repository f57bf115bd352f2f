import type { JobUrn } from "../../../runtime/job/job.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";
import type { JobTurn } from "../../../runtime/job/limits/job-limit.ts";
import type { JobContent } from "./job-content.ts";

/** A job as it is submitted. */
export interface JobRequest extends JobTurn {
  /** Key of the service. */
  readonly service: string;
  readonly content: JobContent;
  readonly id?: JobUrn | undefined;
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined;
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

/** A submitted job. `outcome` is set if the job existed already and has ended. */
export interface TakenJob {
  readonly id: JobUrn;
  readonly isNew: boolean;
  readonly outcome?: StoredOutcome | undefined;
}

/** `same`: the identical result is already stored. `gone`: the job was cancelled, or is no longer known. */
export type SettleAnswer = "stored" | "same" | "stale" | "gone";
