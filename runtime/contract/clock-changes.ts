import type { ScheduleDefinition } from "./contract.ts";
import { localTimes } from "./firing-times.ts";
import { zoneClock } from "./zone-clock.ts";

/** A clock change that affects a schedule. Times are local times, such as `2027-03-28 02:00`. */
export interface MetChange {
  /** `left-out`: the clock skips these times; `twice`: the clock shows them again after the change. */
  readonly kind: "left-out" | "twice";
  readonly from: string;
  /** The first time after the skipped or repeated ones. */
  readonly to: string;
}

const day = 86_400_000;

/**
 * Finds the clock changes within a year after a time by which a firing of the schedule is skipped, or would happen
 * twice.
 */
export function metChanges(
  { cron, zone }: Pick<ScheduleDefinition, "cron" | "zone">,
  time: number,
): readonly MetChange[] {
  const clock = zoneClock(zone);
  const localAfter = localTimes(cron);
  const offset = (instant: number): number => clock.local(instant) - instant;
  const met: MetChange[] = [];
  for (let at = time; at < time + 366 * day; at += day) {
    if (offset(at) === offset(at + day)) continue;
    let [low, high] = [at, at + day];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === offset(at)) low = middle;
      else high = middle;
    }
    const [from = 0, to = 0] = [high + offset(low), high + offset(high)].toSorted((one, other) => one - other);
    if ((localAfter(from - 1) ?? to) >= to) continue;
    met.push({ kind: offset(high) > offset(low) ? "left-out" : "twice", from: wall(from), to: wall(to) });
  }
  return met;
}

function wall(local: number): string {
  return new Date(local).toISOString().slice(0, 16).replace("T", " ");
}
