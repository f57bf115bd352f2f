import { expect, test } from "vitest";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { ScheduleDefinition } from "../../../../../runtime/contract/contract.ts";
import { dueOf, type FiringHost } from "../../../../../runtime/executor/store/firing.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemorySchedules } from "../../../../../runtime/executor/store/memory/memory-schedules.ts";
import { createTimetable, lookEvery, schedulesOfTool } from "../../../../../runtime/executor/store/timetable.ts";

const [second, hour] = [1000, 3_600_000];
const noon = Date.UTC(2026, 10, 24, 12);
const hourly: ScheduleDefinition = { cron: "0 * * * *", zone: "UTC", request: {}, missed: "one", overlap: "allow" };
const never: ScheduleDefinition = { ...hourly, cron: "0 0 30 2 *" };

function open(fails: readonly string[] = []) {
  const clock = { now: noon - 20 * second };
  const fired: string[] = [];
  const table = createMemorySchedules(() => clock.now);
  const host: FiringHost = {
    table,
    store: { get: () => undefined } as unknown as JobStore,
    async submit({ tool, number }) {
      if (fails.includes(tool)) throw new Error(`${tool} is not stored`);
      fired.push(`${tool} ${number}`);
    },
    cancel: () => Promise.resolve(),
  };
  const timetable = createTimetable(host, "service", [
    ...schedulesOfTool("first", [hourly, never]),
    ...schedulesOfTool("second", [hourly]),
  ]);
  return { clock, fired, table, timetable };
}

test("schedules are planned once they fire at all, and are due at their time", async () => {
  const { clock, fired, table, timetable } = open();
  expect(await timetable.look()).toBe(lookEvery);
  await timetable.plan();
  const { rows } = await table.read("service");
  expect(rows.map(({ tool, number, next }) => [tool, number, next])).toEqual([
    ["first", 1, noon],
    ["second", 1, noon],
  ]);
  expect((await table.read("another service")).rows).toEqual([]);
  // No longer than another replica may need to be heard, and no longer than until the firing.
  expect(await timetable.look()).toBe(lookEvery);
  clock.now = noon - 5 * second;
  expect([await timetable.look(), fired]).toEqual([5 * second, []]);
  clock.now = noon;
  expect([await timetable.look(), fired]).toEqual([0, ["first 1", "second 1"]]);
  expect([await timetable.look(), fired.length]).toEqual([lookEvery, 2]);
});

test("a clock that was ahead for a moment does not silence a schedule, and one that is corrected repeats no firing", async () => {
  const { clock, fired, table, timetable } = open();
  await timetable.plan();
  clock.now = noon + 24 * 3650 * hour;
  expect([await timetable.look(), fired.splice(0)]).toEqual([0, ["first 1", "second 1"]]);
  clock.now = noon - 5 * second;
  expect([await timetable.look(), fired]).toEqual([0, []]);
  expect((await table.read("service")).rows.map(({ next }) => next)).toEqual([noon, noon]);
  clock.now = noon;
  expect([await timetable.look(), fired.length]).toEqual([0, 2]);
  clock.now = noon - 24 * hour;
  await timetable.look();
  clock.now = noon;
  expect([await timetable.look(), fired.length]).toEqual([lookEvery, 2]);
});

test("a schedule whose job cannot be stored does not delay the others, and its error is reported", async () => {
  const { clock, fired, timetable } = open(["first"]);
  await timetable.plan();
  clock.now = noon;
  await expect(timetable.look()).rejects.toThrow("first is not stored");
  expect(fired).toEqual(["second 1"]);
});

test.each([
  { cron: "0 3 * * *", missed: "skip", jitter: 1_800_000, days: 30, firings: 30 },
  { cron: "*/5 * * * *", missed: "one", jitter: 600_000, days: 1, firings: 288 },
  { cron: "0 * * * *", missed: "skip", overlap: "queue", days: 0.5, firings: 12 },
] as const)(
  "while a replica runs, all firings of %o start, each after the one before",
  async ({ days, ...changes }) => {
    const { firings, ...schedule } = changes;
    const clock = { now: noon - 20 * second };
    const started = new Map<JobUrn, number>();
    const table = createMemorySchedules(() => clock.now);
    const host: FiringHost = {
      table,
      // A job takes more than an hour.
      store: {
        get: (id: JobUrn) => ({ outcome: clock.now - (started.get(id) ?? 0) < 61.5 * 60 * second ? undefined : {} }),
      } as unknown as JobStore,
      submit: async (_, id) => void started.set(id, clock.now),
      cancel: () => Promise.resolve(),
    };
    const own = schedulesOfTool("late", [{ ...hourly, ...schedule }]);
    const timetable = createTimetable(host, "service", own);
    await timetable.plan();
    for (const end = clock.now + days * 24 * hour; clock.now < end;) clock.now += await timetable.look();
    expect([...started.keys()].toSorted()).toEqual([...started.keys()]);
    expect(started.size).toBe(firings);
  },
);

test("the lag is how long a firing is due, and none for a schedule that is paused or whose time has not come", async () => {
  const { clock, table, timetable } = open();
  await timetable.plan();
  const lags = async (): Promise<number[]> => (await timetable.lags()).map(({ lag }) => lag);
  expect(await lags()).toEqual([0, 0]);
  clock.now = noon + hour;
  expect(await timetable.lags()).toEqual([
    { tool: "first", lag: hour },
    { tool: "second", lag: hour },
  ]);
  await table.pause({ tool: "first", number: 1 }, undefined);
  expect(await lags()).toEqual([0, hour]);
  await table.pause({ tool: "first", number: 1 }, noon + 2 * hour);
  expect(await lags()).toEqual([0, hour]);
});

test("the lag of a tool is that of its latest schedule, and jitter is not a lag", async () => {
  const { clock, table } = open();
  const host: FiringHost = {
    table,
    store: { get: () => undefined } as unknown as JobStore,
    submit: () => Promise.resolve(),
    cancel: () => Promise.resolve(),
  };
  const late = { ...hourly, jitter: 30 * 60 * second };
  const own = schedulesOfTool("late", [hourly, { ...late, cron: "0 13 * * *" }]);
  const timetable = createTimetable(host, "another service", own);
  await timetable.plan();
  clock.now = noon + 10 * second;
  expect(await timetable.lags()).toEqual([{ tool: "late", lag: 10 * second }]);
  const [, delayed] = own;
  const due = delayed && dueOf(delayed, noon + hour);
  await table.pause({ tool: "late", number: 1 }, undefined);
  clock.now = due ?? noon;
  expect([clock.now > noon + hour, await timetable.lags()]).toEqual([true, [{ tool: "late", lag: 0 }]]);
  clock.now += second;
  expect(await timetable.lags()).toEqual([{ tool: "late", lag: second }]);
});
