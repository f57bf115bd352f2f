import type { JsonObject } from "../../contract/contract.ts";
import type { JobAttempt } from "./attempts.ts";

/**
 * Converts the attempts of a job to the form of answers.
 *
 * @param isForCaller True for a caller of the job, who may not see the workers
 */
export function shownAttempts(attempts: readonly JobAttempt[], isForCaller: boolean): JsonObject[] {
  return attempts.map(({ attempt, state, startedAt, endedAt, worker, detail, lastEvent }) => ({
    attempt,
    status: state,
    "started-at": new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { "finished-at": new Date(endedAt).toISOString() }),
    ...(!isForCaller && worker !== undefined && { worker }),
    ...(!isForCaller && detail !== undefined && { detail }),
    ...(lastEvent !== undefined && { "last-event": lastEvent }),
  }));
}
