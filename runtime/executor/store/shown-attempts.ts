import type { JsonObject } from "../../contract/contract.ts";
import type { JobAttempt } from "./attempts.ts";

/**
 * The attempts of a job in the form of answers.
 * @param isForCaller True where a caller of the job asks, to whom workers are not shown
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
