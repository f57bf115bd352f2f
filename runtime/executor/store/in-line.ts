import { lineName } from "../../job/limits/job-limit.ts";
import type { Waiting } from "../../job/steps/kept-step.ts";

/** The waiting state of a job that is above the limit of its key. */
export function inLineOf(key: string, ahead: number): Waiting {
  return { waits: [], line: { limit: lineName(key), ahead } };
}
