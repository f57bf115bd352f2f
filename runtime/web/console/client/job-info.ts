/** States of a job. */
export const jobStates = ["pending", "executing", "succeeded", "failed", "error", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** An attempt of a job: the period in which one worker had the job. */
export interface Attempt {
  readonly attempt: number;
  /** `lost` and `released`: another attempt has followed, or will follow. */
  readonly state: string;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly worker?: string | undefined;
  /** Description of how the worker died. */
  readonly detail?: string | undefined;
  /** Number of the last event of the attempt; NaN if unknown. */
  readonly lastEvent: number;
}

/** A job of a list. Times are milliseconds since 1970. */
export interface JobInfo {
  readonly id: string;
  readonly state: JobState;
  /** URN of the service; only on a platform. */
  readonly service: string | undefined;
  /** Name of the tool. Undefined if a platform does not know which tool of its service the job runs. */
  readonly tool: string | undefined;
  /** Name of the tool, else that of the service. */
  readonly label: string;
  /** Name of the message for which the job is parked; only on a platform. */
  readonly waitsFor: string | undefined;
  readonly attempt: number;
  readonly requestedAt: number | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly isDead: boolean;
  readonly traceId: string | undefined;
  /** Origin of the job in words; undefined if unknown. */
  readonly origin: string | undefined;
  /** Sentence of the error that ended the job. */
  readonly cause: string | undefined;
  /** Beginning of the request as JSON; only for users who may see it. */
  readonly asked: string | undefined;
  /** Attempts of the job; only present if the job was requested alone. */
  readonly attempts: readonly Attempt[];
}

/** Filter of a list; an empty text matches all jobs. */
export interface JobFilter {
  readonly state: string;
  /** Name of a tool; on a platform, key of a service. */
  readonly of: string;
  /** A trace id, or the id of a job. */
  readonly find: string;
}

export interface JobQuery extends JobFilter {
  /** Token of the page; undefined: the first page. */
  readonly page?: string | undefined;
}

/** A page of a list of jobs. */
export interface JobPage {
  readonly items: readonly JobInfo[];
  /** Token of the next page; undefined: this page is the last. */
  readonly next: string | undefined;
}

/** True when a job in this state does not change any more. */
export function hasEnded(state: unknown): boolean {
  return state !== "pending" && state !== "executing";
}
