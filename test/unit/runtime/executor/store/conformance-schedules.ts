import { describe, expect } from "vitest";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemorySchedules } from "../../../../../runtime/executor/store/memory/memory-schedules.ts";
import type { PlannedSchedule, ScheduleTable } from "../../../../../runtime/executor/store/schedule-table.ts";
import type { VirtualClock } from "./store-model.ts";

const id: JobUrn = "urn:platform:job:schedule~one~1~20270115T080000Z";

function planned(number: number, next: number, more: Partial<PlannedSchedule> = {}): PlannedSchedule {
  return { tool: "one", number, times: "0 3 * * * UTC", definition: '{"a":"\\u0000 ä"}', next, ...more };
}

/** Promises of the schedules of a store. `fresh` opens an empty one. */
export function describeSchedules(
  fresh: () => Promise<{ readonly store: JobStore; readonly clock: VirtualClock }>,
  promise: (title: string, body: () => Promise<void>) => void,
): void {
  const opened = async (): Promise<{ table: ScheduleTable; clock: VirtualClock }> => {
    const { store, clock } = await fresh();
    return { table: (store.schedules ??= createMemorySchedules(clock.now)), clock };
  };
  const nexts = async (table: ScheduleTable, service: string): Promise<unknown> =>
    (await table.read(service)).rows.map(({ tool, number, next }) => [tool, number, next]);

  describe("schedules", () => {
    promise("are read as they were planned, by service, with the time of the store", async () => {
      const { table, clock } = await opened();
      expect(await table.read("a")).toEqual({ now: clock.now(), rows: [] });
      await table.plan("a", [planned(1, 10), planned(2, 20)]);
      await table.plan("b", [planned(1, 30, { tool: "two" })]);
      const { rows } = await table.read("a");
      expect(rows).toEqual([
        { tool: "one", number: 1, definition: '{"a":"\\u0000 ä"}', next: 10, paused: false },
        { tool: "one", number: 2, definition: '{"a":"\\u0000 ä"}', next: 20, paused: false },
      ]);
      expect(await nexts(table, "b")).toEqual([["two", 1, 30]]);
    });

    promise("of another build take the place of the old ones; one with the same times goes on", async () => {
      const { table } = await opened();
      await table.plan("a", [planned(1, 10), planned(2, 20), planned(3, 30)]);
      await table.pause({ tool: "one", number: 1 }, undefined);
      const other = { definition: '{"b":1}' };
      await table.plan("a", [planned(1, 100, other), planned(2, 200, { ...other, times: "0 4 * * * UTC" })]);
      expect(await nexts(table, "a")).toEqual([
        ["one", 1, 10],
        ["one", 2, 200],
      ]);
      expect((await table.read("a")).rows).toMatchObject([
        { definition: '{"b":1}', paused: true },
        { definition: '{"b":1}', paused: false },
      ]);
      await table.plan("a", []);
      expect(await nexts(table, "a")).toEqual([]);
    });

    promise("move from a firing to the next once, whoever tries, and owe the job until it is stored", async () => {
      const { table } = await opened();
      await table.plan("a", [planned(1, 10)]);
      const { definition } = planned(1, 10);
      const key = { tool: "one", number: 1 };
      const move = { ...key, definition, from: 10, to: 20, job: { id, at: 10 } };
      expect(await table.move({ ...move, definition: "{}" })).toBe(false);
      const tries = await Promise.all([table.move(move), table.move(move), table.move(move)]);
      expect(tries.filter((isOurs) => isOurs)).toEqual([true]);
      expect((await table.read("a")).rows).toMatchObject([{ next: 20, last: 10, lastJob: id, owes: id }]);
      expect(await table.move({ ...move, from: 20, to: 30 })).toBe(false);
      await table.paid(key, "urn:platform:job:another");
      expect((await table.read("a")).rows).toMatchObject([{ owes: id }]);
      await table.paid(key, id);
      const { job: _, ...leftOut } = move;
      expect(await table.move({ ...leftOut, from: 20, to: undefined })).toBe(true);
      const { rows } = await table.read("a");
      expect(rows).toEqual([{ ...key, definition, last: 10, lastJob: id, paused: false }]);
    });

    promise("that are paused stay where they are, and go on from a time", async () => {
      const { table } = await opened();
      await table.plan("a", [planned(1, 10)]);
      const key = { tool: "one", number: 1 };
      const move = { ...key, definition: planned(1, 10).definition, from: 10, to: 20 };
      expect(await table.pause(key, undefined)).toBe(true);
      expect(await table.move(move)).toBe(false);
      expect((await table.read("a")).rows).toMatchObject([{ next: 10, paused: true }]);
      expect(await table.pause(key, 50)).toBe(true);
      expect((await table.read("a")).rows).toMatchObject([{ next: 50, paused: false }]);
      // It goes on already: a firing that waits is not lost.
      expect(await table.pause(key, 70)).toBe(true);
      expect((await table.read("a")).rows).toMatchObject([{ next: 50, paused: false }]);
      expect(await table.move({ ...move, from: 50, to: 60 })).toBe(true);
      expect(await table.pause({ tool: "one", number: 2 }, undefined)).toBe(false);
    });
  });
}
