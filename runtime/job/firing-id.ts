import { jobUrnPrefix } from "./job-id.ts";
import type { JobUrn } from "./job.ts";

/**
 * Makes the id of the job that a schedule starts at a time, such as `…:schedule~pay~1~20261124T020000Z`. All replicas
 * make the same id, so only one job is started.
 */
export function firingUrn(tool: string, number: number, at: number): JobUrn {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
  return `${jobUrnPrefix}schedule~${tool}~${number}~${time}`;
}

/** The time in the id of a scheduled job, in milliseconds since 1970; undefined for any other id. */
export function timeOfFiring(id: string): number | undefined {
  const [, day, time] = /:schedule~.*~(\d{8})T(\d{6})Z$/.exec(id) ?? [];
  if (day === undefined || time === undefined) return undefined;
  return Date.parse(`${day.replace(/(....)(..)/, "$1-$2-")}T${time.replace(/(..)(..)/, "$1:$2:")}Z`);
}
