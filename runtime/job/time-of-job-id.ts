import { timeOfFiring } from "./firing-id.ts";

/**
 * Returns the milliseconds since 1970 at which an id was made; undefined for an id that is neither a UUIDv7 nor that of
 * a scheduled job.
 */
export function timeOfJobId(id: string): number | undefined {
  const [, high, low] = /:([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-/i.exec(id) ?? [];
  return high === undefined || low === undefined ? timeOfFiring(id) : Number.parseInt(high + low, 16);
}
