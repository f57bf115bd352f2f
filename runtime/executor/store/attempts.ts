import type { JobState, JobUrn } from "../../job/job.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { phase } from "./phase.ts";

/** An attempt of a job: the period in which one worker had the job. Times are milliseconds since 1970. */
export interface JobAttempt {
  readonly attempt: number;
  /**
   * `lost`: its lease expired, or its worker died. `released`: its worker gave the job back; `parked`: the job waits
   * outside of a process. Released and parked attempts are not counted.
   */
  readonly state: JobState | "lost" | "released" | "parked";
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Name or address of the worker that ran the attempt. */
  readonly worker?: string;
  /** Description of how the worker died. Not for callers of the job. */
  readonly detail?: string;
  /** Number of the last event of this attempt; absent where no event is known. */
  readonly lastEvent?: number;
}

/** Optional interface of a store: the attempts of a job, the first one first. */
export interface RemembersAttempts {
  /** Empty for a job that is not known or was never given to a worker. */
  attempts(id: JobUrn): MaybePromise<readonly JobAttempt[]>;
}

/** A store that can tell the input of a job. */
export interface RemembersInputs {
  /**
   * The input with which a job runs. Undefined for an unknown job, and for one that has ended and can neither be run
   * again nor be put back: its input is deleted, unless the store keeps inputs of its size.
   */
  input(id: JobUrn): unknown;
}

/** Maximum number of lost and released attempts in the history of a job; the oldest are dropped first. */
export const mostAttempts = 20;

/** Columns of a job from which its attempts are read. */
export interface AttemptsRow {
  readonly phase: number;
  readonly attempt: number;
  /** Start of the current or last attempt; null while the job waits. */
  readonly started: number | null;
  readonly ended: number | null;
  readonly outcome: string | null;
  readonly worker: string | null;
  /** JSON of the attempts that did not end the job. */
  readonly history: string | null;
}

/** An attempt in the column `history`; its last event is null if there was none. */
interface PastAttempt {
  readonly attempt: number;
  readonly started: number | null;
  readonly ended: number;
  readonly end: "lost" | "released" | "parked";
  readonly worker: string | null;
  readonly detail: string | null;
  readonly last: number | null;
}

/** Converts a row into the attempts of its job. */
export function toAttempts(row: AttemptsRow): readonly JobAttempt[] {
  const past = JSON.parse(row.history ?? "[]") as readonly PastAttempt[];
  // If the job is a dead letter whose worker was lost, its last attempt is already in the history.
  const last = past.at(-1);
  const isPast = row.phase === phase.dead && last?.end === "lost" && last.attempt === row.attempt;
  const hasCurrent = row.started !== null && !isPast && (row.phase === phase.executing || row.phase >= phase.ended);
  const found: JobAttempt[] = past.map((one, index) => {
    const { attempt, started, ended, end, worker, detail, last: lastEvent } = one;
    const follower = past[index + 1]?.attempt ?? (hasCurrent ? row.attempt : row.attempt + 1);
    // A redrive deletes the events of a job, so their numbers begin again at 1.
    const isRedriven = follower !== (end === "lost" ? attempt + 1 : attempt) && row.phase !== phase.dead;
    return {
      attempt,
      state: end,
      startedAt: started ?? ended,
      endedAt: ended,
      ...(worker !== null && { worker }),
      ...(detail !== null && { detail }),
      ...(lastEvent !== null && !isRedriven && { lastEvent }),
    };
  });
  if (!hasCurrent || row.started === null) return found;
  const { attempt, started, ended, outcome, worker } = row;
  const isUnsuccessful = outcome === "failed" || outcome === "error" || outcome === "cancelled";
  return [
    ...found,
    {
      attempt,
      state: outcome === null ? "executing" : isUnsuccessful ? outcome : "succeeded",
      startedAt: started,
      ...(ended !== null && { endedAt: ended }),
      ...(worker !== null && { worker }),
    },
  ];
}
