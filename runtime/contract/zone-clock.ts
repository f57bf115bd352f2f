/** The local time of a time zone. Local times are milliseconds since 1970, as if the zone were UTC. */
export interface ZoneClock {
  /** The local time at an instant. */
  local(instant: number): number;
  /**
   * The instant of a local time: the first one if the local time comes twice, and the moment of the change if a clock
   * change skips it.
   */
  instant(local: number): number;
}

/**
 * Milliseconds between a local time and the times at which its offset is read: longer than any offset from UTC, and
 * shorter than the time between two changes of a zone.
 */
const aside = 36 * 3_600_000;

/** Creates the clock of a zone, by the tables of the runtime. Throws a `RangeError` for a zone that does not exist. */
export function zoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offset = (instant: number): number => {
    const [, sign, hours, minutes = "0", seconds = "0"] =
      /GMT([+-])(\d+)(?::(\d+))?(?::(\d+))?$/.exec(format.format(instant)) ?? [];
    const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return sign === undefined ? 0 : (sign === "-" ? -size : size) * 1000;
  };
  return {
    local: (instant) => instant + offset(instant),
    instant(local) {
      const [before, after] = [offset(local - aside), offset(local + aside)];
      const early = local - Math.max(before, after);
      const late = local - Math.min(before, after);
      if (offset(early) === local - early) return early;
      if (offset(late) === local - late) return late;
      // The clock change skips this local time: searches for the moment of the change.
      let [low, high] = [early, late];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offset(middle) === before) low = middle;
        else high = middle;
      }
      return high;
    },
  };
}
