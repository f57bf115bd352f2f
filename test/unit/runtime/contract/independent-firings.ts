/** The days, hours and minutes of a cron expression, spelt out. */
export interface SpeltOut {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** True for a day on which it fires; the day is one of UTC. */
  readonly fits: (day: Date) => boolean;
}

/** A time in which a zone has one offset from UTC; all numbers are milliseconds. */
export interface Era {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** The offset by the text of a clock in the zone: another way than the code under test takes. */
function clockOf(zone: string): (instant: number) => number {
  const form = { dateStyle: "short", timeStyle: "medium" } as const;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, ...form });
  return (instant) => Date.parse(`${format.format(instant).replace(" ", "T")}Z`) - Math.floor(instant / 1000) * 1000;
}

/** The times between the clock changes of a zone. */
export function erasOf(zone: string, from: number, to: number): readonly Era[] {
  const offsetAt = clockOf(zone);
  const eras: Era[] = [];
  let start = from - 3 * day;
  let offset = offsetAt(start);
  for (let at = start + 6 * hour; at <= to + 3 * day; at += 6 * hour) {
    if (offsetAt(at) === offset) continue;
    let [low, high] = [at - 6 * hour, at];
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000;
      if (offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    eras.push({ start, end: high, offset });
    [start, offset] = [high, offsetAt(high)];
  }
  return [...eras, { start, end: Infinity, offset }];
}

/** All firings between two instants, found day by day on the clock on the wall. */
export function independentFirings(eras: readonly Era[], spelt: SpeltOut, from: number, to: number): readonly number[] {
  const found = new Set<number>();
  for (let at = Math.floor((from - 2 * day) / day) * day; at < to + 2 * day; at += day) {
    if (!spelt.fits(new Date(at))) continue;
    for (const hours of spelt.hours)
      for (const minutes of spelt.minutes) found.add(firstInstant(eras, at + hours * hour + minutes * 60_000));
  }
  return [...found].filter((at) => at > from && at <= to).toSorted((a, b) => a - b);
}

function firstInstant(eras: readonly Era[], local: number): number {
  for (const { start, end, offset } of eras) {
    const instant = local - offset;
    if (instant < start) return start;
    if (instant < end) return instant;
  }
  throw new Error("beyond the last era");
}
