import { expect, test } from "vitest";
import { metChanges } from "../../../../runtime/contract/clock-changes.ts";

const spring = { kind: "left-out", from: "2027-03-28 02:00", to: "2027-03-28 03:00" };
const autumn = { kind: "twice", from: "2026-10-25 02:00", to: "2026-10-25 03:00" };
const october = Date.UTC(2026, 9, 1);

test.each([
  ["within both", "30 2 * * *", [autumn, spring]],
  ["at the first moment of both", "0 2 * * *", [autumn, spring]],
  ["behind both", "0 3 * * *", []],
  ["often", "*/10 * * * *", [autumn, spring]],
  ["on days without a change", "30 2 * * 1-5", []],
  ["once a year", "30 2 28 3 *", [spring]],
])("a schedule %s, in Zurich", (_, cron, changes) => {
  expect(metChanges({ cron, zone: "Europe/Zurich" }, october)).toEqual(changes);
});

test("zones without changes, and with one of half an hour", () => {
  expect(metChanges({ cron: "30 2 * * *", zone: "UTC" }, october)).toEqual([]);
  expect(metChanges({ cron: "45 1 * * *", zone: "Australia/Lord_Howe" }, october)).toEqual([
    { kind: "twice", from: "2027-04-04 01:30", to: "2027-04-04 02:00" },
  ]);
});
