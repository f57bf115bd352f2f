import { lineName } from "../../job/limits/job-limit.ts";
import type { Waiting } from "../../job/steps/kept-step.ts";

/**
 * Describes the wait of a job that is above the limit of its key.
 *
 * @param start Time at which a rate lets the job start, in milliseconds since 1970
 */
export function inLineOf(key: string, ahead: number, start?: number): Waiting {
  const time = start === undefined ? {} : { time: new Date(Math.ceil(start)).toISOString() };
  return { waits: [], line: { limit: lineName(key), ahead, ...time } };
}
