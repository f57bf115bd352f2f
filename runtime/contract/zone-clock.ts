/** The clock on the wall of a time zone. Its times are milliseconds since 1970, as if the zone were UTC. */
export interface ZoneClock {
  /** Time on the clock at an instant. */
  local(instant: number): number;
  /**
   * The instant at which the clock shows a time: the first one of a time that comes twice, and for a time that a change
   * leaves out the moment of the change.
   */
  instant(local: number): number;
}

/** Beyond any offset from UTC, and short of two changes of one zone. */
const aside = 36 * 3_600_000;

/** The clock of a zone, by the tables of the runtime. Throws a `RangeError` for a zone that does not exist. */
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
      // A time that the change leaves out.
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
