import type { JsonObject } from "../../../runtime/contract/contract.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";

/** A stored change of a job. */
export type JobNews =
  | { readonly kind: "event"; readonly id: JobUrn; readonly service: string; readonly event: NumberedEvent }
  | { readonly kind: "state"; readonly id: JobUrn; readonly service: string; readonly state: LiveState }
  | ({ readonly kind: "end"; readonly id: JobUrn; readonly service: string } & JobEnd);

export interface JobEnd {
  readonly outcome: StoredOutcome;
  /** Milliseconds since 1970; absent where the job ends just now. */
  readonly endedAt?: number | undefined;
}

export interface NumberedEvent {
  /** The event's number within the job, over all attempts. */
  readonly sequence: number;
  readonly body: JsonObject;
}

/** State of a job that has not ended. `released`: it waits again, since its worker released it. */
export type LiveState =
  | { readonly status: "pending" }
  | { readonly status: "executing"; readonly attempt: number }
  | { readonly status: "released"; readonly attempt: number };

export type NewsListener = (news: JobNews) => void;
