import { Cron } from "croner";
import type { ScheduleDefinition } from "./contract.ts";
import { zoneClock } from "./zone-clock.ts";

/** The times of a schedule, in milliseconds since 1970. */
export interface FiringTimes {
  /** The first firing after a time; undefined when there is none. */
  after(time: number): number | undefined;
}

const minute = 60_000;

/**
 * Returns the times at which a schedule fires. A time of day that a clock change skips fires at the moment of the
 * change; a time of day that comes twice fires only the first time. Throws an error for an expression that is not
 * valid, and a `RangeError` for a zone that does not exist.
 */
export function firingTimes({ cron, zone }: Pick<ScheduleDefinition, "cron" | "zone">): FiringTimes {
  const clock = zoneClock(zone);
  const localAfter = localTimes(cron);
  return {
    after(time) {
      let local = localAfter(clock.local(time));
      // In an hour that the clock repeats, all times fire in the first pass, so they are skipped in the second one.
      while (local !== undefined) {
        const instant = clock.instant(local);
        if (instant > time) return instant;
        local = localAfter(local);
      }
      return undefined;
    },
  };
}

/**
 * Returns the times of an expression on a clock that never changes. The result finds the first time after a given one,
 * in milliseconds as if the zone were UTC. Throws an error for an expression that is not valid.
 */
export function localTimes(cron: string): (after: number) => number | undefined {
  // Checks for five fields, or six with seconds, since the library accepts a date as well.
  if (!/^\S+(?: +\S+){4,5}$/.test(cron)) throw new Error("it has five fields, or six with seconds in front");
  // The library calculates in UTC; it gets local times of the zone as if they were UTC.
  const pattern = new Cron(cron, { utcOffset: 0 });
  return (after) => pattern.nextRun(new Date(after))?.getTime();
}

/** Finds the last firings from `first` up to `now`, both included; at most `most`, the oldest first. */
export function firingsUntil(times: FiringTimes, first: number, now: number, most: number): readonly number[] {
  // Searches backwards in growing steps, since a schedule that fires every second may have been paused for a year.
  for (let span = minute; ; span *= 8) {
    const start = Math.max(first, now - span);
    const found: number[] = [];
    let at = times.after(start - 1);
    for (; at !== undefined && at <= now; at = times.after(at)) found.push(at);
    if (found.length >= most || start === first) return found.slice(-most);
  }
}

/** The next firings after a time, at most `most`. */
export function nextFirings(
  schedule: Pick<ScheduleDefinition, "cron" | "zone">,
  time: number,
  most: number,
): readonly number[] {
  const times = firingTimes(schedule);
  const found: number[] = [];
  for (let at = times.after(time); at !== undefined && found.length < most; at = times.after(at)) found.push(at);
  return found;
}
