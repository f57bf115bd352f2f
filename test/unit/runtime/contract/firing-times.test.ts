import { describe, expect, test } from "vitest";
import { firingsUntil, firingTimes, nextFirings } from "../../../../runtime/contract/firing-times.ts";
import { erasOf, independentFirings, type SpeltOut } from "./independent-firings.ts";

function next(cron: string, zone: string, from: string, most: number): readonly string[] {
  return nextFirings({ cron, zone }, Date.parse(from), most).map((at) => new Date(at).toISOString());
}

describe("a clock change", () => {
  test("that leaves a time out fires it at the moment of the change, once", () => {
    expect(next("30 2 * * *", "Europe/Zurich", "2027-03-27T12:00Z", 2)).toEqual([
      "2027-03-28T01:00:00.000Z",
      "2027-03-29T00:30:00.000Z",
    ]);
    expect(next("*/20 2-3 * * *", "Europe/Zurich", "2027-03-28T00:59Z", 4)).toEqual([
      "2027-03-28T01:00:00.000Z",
      "2027-03-28T01:20:00.000Z",
      "2027-03-28T01:40:00.000Z",
      "2027-03-29T00:00:00.000Z",
    ]);
  });

  test("that repeats a time fires it the first time only", () => {
    expect(next("30 2 * * *", "Europe/Zurich", "2026-10-24T12:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
    // Within the hour that comes again.
    expect(next("*/30 * * * *", "Europe/Zurich", "2026-10-25T01:10Z", 1)).toEqual(["2026-10-25T02:00:00.000Z"]);
  });

  test("of half an hour, at midnight, and of a whole day", () => {
    expect(next("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", 1)).toEqual(["2026-10-03T15:30:00.000Z"]);
    expect(next("45 1 * * *", "Australia/Lord_Howe", "2027-04-03T10:00Z", 2)).toEqual([
      "2027-04-03T14:45:00.000Z",
      "2027-04-04T15:15:00.000Z",
    ]);
    expect(next("0 0 * * *", "Africa/Cairo", "2027-04-29T12:00Z", 1)).toEqual(["2027-04-29T22:00:00.000Z"]);
    expect(next("0 12 30 12 *", "Pacific/Apia", "2011-12-01T00:00Z", 1)).toEqual(["2011-12-30T10:00:00.000Z"]);
  });
});

test("a zone that does not exist and an expression that is not one are errors", () => {
  expect(() => firingTimes({ cron: "0 3 * * *", zone: "Europe/Zurch" })).toThrow(RangeError);
  for (const cron of ["0 25 * * *", "0 3 * *", "2026-01-01T00:00:00", "* * * * * * *", "a b c d e", "@daily"])
    expect(() => firingTimes({ cron, zone: "UTC" })).toThrow(Error);
});

test("what can never be has no firing", () => {
  expect(firingTimes({ cron: "0 0 30 2 *", zone: "UTC" }).after(0)).toBeUndefined();
  expect(firingTimes({ cron: "0 0 29 2 *", zone: "UTC" }).after(Date.UTC(2025, 0))).toBe(Date.UTC(2028, 1, 29));
});

test("seconds are a sixth field, in front", () => {
  expect(next("*/20 * * * * *", "UTC", "2026-01-01T00:00:05Z", 3)).toEqual([
    "2026-01-01T00:00:20.000Z",
    "2026-01-01T00:00:40.000Z",
    "2026-01-01T00:01:00.000Z",
  ]);
});

test("the last firings are found without going through all that were missed", () => {
  const seconds = firingTimes({ cron: "* * * * * *", zone: "UTC" });
  const now = Date.UTC(2026, 0, 1);
  expect(firingsUntil(seconds, Date.UTC(2000, 0, 1), now, 100)).toEqual(
    Array.from({ length: 100 }, (_, index) => now - (99 - index) * 1000),
  );
  const yearly = firingTimes({ cron: "0 0 1 6 *", zone: "UTC" });
  expect(firingsUntil(yearly, Date.UTC(2020, 5, 1), now, 3)).toEqual(
    [2023, 2024, 2025].map((year) => Date.UTC(year, 5, 1)),
  );
  expect(firingsUntil(yearly, Date.UTC(2025, 5, 1), now, 3)).toEqual([Date.UTC(2025, 5, 1)]);
});

const range = (from: number, to: number, step = 1): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

const spelt: Readonly<Record<string, SpeltOut>> = {
  "30 2 * * *": { minutes: [30], hours: [2], fits: () => true },
  "0 0 * * 1-5": { minutes: [0], hours: [0], fits: (day) => day.getUTCDay() > 0 && day.getUTCDay() < 6 },
  "15 1,3 1 */2 *": {
    minutes: [15],
    hours: [1, 3],
    fits: (day) => day.getUTCDate() === 1 && day.getUTCMonth() % 2 === 0,
  },
  "*/20 0-3 * * 0": { minutes: range(0, 59, 20), hours: range(0, 3), fits: (day) => day.getUTCDay() === 0 },
  "59 23 13 * 5": { minutes: [59], hours: [23], fits: (day) => day.getUTCDate() === 13 || day.getUTCDay() === 5 },
};

const some = [
  "Europe/Zurich",
  "America/Santiago",
  "America/St_Johns",
  "Africa/Casablanca",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Antarctica/Troll",
];
// `npm run schedule-times` takes all.
const isLong = process.env["FIRING_ZONES"] === "all";
const [from, to] = [Date.UTC(2026, 0, 1, 0, 0, 30), Date.UTC(2028, 0, 1)];

test.each(isLong ? Intl.supportedValuesOf("timeZone") : some)(
  "all firings of two years in %s are those of an independent list",
  (zone) => {
    const eras = erasOf(zone, from, to);
    for (const [cron, days] of Object.entries(spelt)) {
      const expected = independentFirings(eras, days, from, to);
      const times = firingTimes({ cron, zone });
      const found: number[] = [];
      for (let at = times.after(from); at !== undefined && at <= to; at = times.after(at)) found.push(at);
      expect({ cron, found }).toEqual({ cron, found: expected });
    }
  },
);
