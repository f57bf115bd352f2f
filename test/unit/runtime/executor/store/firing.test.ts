import { beforeEach, expect, test } from "vitest";
import type { ScheduleDefinition } from "../../../../../runtime/contract/contract.ts";
import { fireIfDue as fire, type FiringHost, type OwnSchedule } from "../../../../../runtime/executor/store/firing.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import type { ScheduleMove, ScheduleRow } from "../../../../../runtime/executor/store/schedule-table.ts";
import { schedulesOfTool } from "../../../../../runtime/executor/store/timetable.ts";
import { firingUrn } from "../../../../../runtime/job/firing-id.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";

const [minute, hour] = [60_000, 3_600_000];
const noon = Date.UTC(2026, 10, 24, 12);
const hourly: ScheduleDefinition = { cron: "0 * * * *", zone: "UTC", request: {}, missed: "one", overlap: "skip" };
const before: JobUrn = "urn:platform:job:before";

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "INFO", write: (line) => lines.push(line) });
});

/** Fires as a replica does that has just started. */
function fireIfDue(world: FiringHost, schedule: OwnSchedule, from: ScheduleRow, now: number): Promise<number> {
  return fire(world, schedule, from, now, new Map());
}

function own(changes: Partial<ScheduleDefinition> = {}): OwnSchedule {
  return schedulesOfTool("report", [{ ...hourly, ...changes }])[0] as OwnSchedule;
}

/** A host that writes down what is done, in order; `running` is the state of the job of the last firing. */
function host(running: "running" | "ended" | "gone" = "gone", isFirst = true) {
  const done: unknown[] = [];
  const record = running === "gone" ? undefined : { outcome: running === "ended" ? {} : undefined };
  const note = (what: string, job: JobUrn): Promise<void> => Promise.resolve(void done.push(`${what} ${job}`));
  return {
    done,
    store: { get: () => record } as unknown as JobStore,
    submit: (_: OwnSchedule, id: JobUrn) => note("submitted", id),
    cancel: (id: JobUrn, reason: string) => note(`cancelled (${reason})`, id),
    table: {
      plan: () => expect.fail("nothing is planned"),
      read: () => expect.fail("nothing is read"),
      pause: () => expect.fail("nothing is paused"),
      move: (move: ScheduleMove) => (done.push(move), isFirst),
      paid: (_: unknown, job: JobUrn) => note("paid", job),
    },
  };
}

/** A row whose last firing was an hour before noon, and whose next one is at noon. */
function row(schedule: OwnSchedule, changes: Partial<ScheduleRow> = {}): ScheduleRow {
  const { tool, number, text: definition } = schedule;
  const last = { last: noon - hour, lastJob: before };
  return { tool, number, definition, next: noon, ...last, owes: undefined, paused: false, ...changes };
}

async function messages(): Promise<readonly string[]> {
  await flushLogs();
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

test("a firing before its time waits, and one that is due moves the schedule before its job is stored", async () => {
  const schedule = own();
  const world = host("ended");
  expect(await fireIfDue(world, schedule, row(schedule), noon - 5)).toBe(5);
  expect(world.done).toEqual([]);
  expect(await fireIfDue(world, schedule, row(schedule), noon)).toBe(0);
  const id = firingUrn("report", 1, noon);
  const { text: definition } = schedule;
  expect(world.done).toEqual([
    { tool: "report", number: 1, definition, from: noon, to: noon + hour, job: { id, at: noon } },
    `submitted ${id}`,
    `paid ${id}`,
  ]);
  expect(await messages()).toEqual([]);
});

test("a job that an earlier firing owes is stored first, whatever else holds for the schedule", async () => {
  const schedule = own();
  const world = host();
  expect(await fireIfDue(world, schedule, row(schedule, { owes: before, paused: true }), noon - 5)).toBe(0);
  expect(world.done).toEqual([`submitted ${before}`, `paid ${before}`]);
});

test.each([{ paused: true }, { next: undefined }, { definition: "of another build" }])(
  "a schedule with %o does not fire",
  async (changes) => {
    const schedule = own();
    const world = host();
    expect(await fireIfDue(world, schedule, row(schedule, changes), noon + 1)).toBe(Infinity);
    expect(world.done).toEqual([]);
  },
);

test("another replica was first: no job is stored, and the row is read again", async () => {
  const schedule = own();
  const world = host("gone", false);
  expect(await fireIfDue(world, schedule, row(schedule), noon)).toBe(0);
  expect(world.done).toHaveLength(1);
});

test("while the last job runs, its firing is left out with a line, follows it, or ends it", async () => {
  const skips = own();
  const skipping = host("running");
  expect(await fireIfDue(skipping, skips, row(skips), noon)).toBe(0);
  expect(skipping.done).toEqual([{ tool: "report", number: 1, definition: skips.text, from: noon, to: noon + hour }]);
  expect(await messages()).toEqual([
    `Schedule 1 of report: the firing of 2026-11-24T12:00:00.000Z is left out, since ${before} still runs.`,
  ]);

  const queues = own({ overlap: "queue" });
  const queueing = host("running");
  expect(await fireIfDue(queueing, queues, row(queues), noon)).toBe(1000);
  expect(queueing.done).toEqual([]);

  const cancels = own({ overlap: "cancel" });
  const cancelling = host("running");
  expect(await fireIfDue(cancelling, cancels, row(cancels), noon)).toBe(0);
  expect([cancelling.done[0], cancelling.done.length]).toEqual([
    `cancelled (The next firing of its schedule has come.) ${before}`,
    4,
  ]);

  const allows = own({ overlap: "allow" });
  const allowing = host("running");
  expect(await fireIfDue(allowing, allows, row(allows), noon)).toBe(0);
  expect(allowing.done).toHaveLength(3);
});

test.each([
  ["one", 29.5 * hour, noon + 29 * hour],
  ["skip", 29.5 * hour, undefined],
  ["skip", 29 * hour + minute, noon + 29 * hour],
  ["all", 29.5 * hour, noon],
] as const)("missed firings with %s, %d ms later", async (missed, late, at) => {
  const schedule = own({ missed });
  const world = host();
  await fireIfDue(world, schedule, row(schedule), noon + late);
  expect((world.done[0] as ScheduleMove).job?.at).toBe(at);
  const isMissed = at !== noon;
  expect(await messages()).toEqual(
    isMissed ? ["Schedule 1 of report: what should have fired from 2026-11-24T12:00:00.000Z on was missed."] : [],
  );
});

test("with jitter, a firing comes later by the same time in every replica", async () => {
  const schedule = own({ jitter: 20 * minute });
  const delay = await fireIfDue(host(), schedule, row(schedule), noon);
  expect(delay).toBeGreaterThan(0);
  expect(delay).toBeLessThan(20 * minute);
  expect(await fireIfDue(host(), schedule, row(schedule), noon + 1)).toBe(delay - 1);
  const other = await fireIfDue(host(), schedule, row(schedule, { next: noon + hour }), noon + hour);
  expect(other).not.toBe(delay);
  expect(await fireIfDue(host(), schedule, row(schedule), noon + delay)).toBe(0);
});

test("a jitter counts as no delay of its firing, and its end is waited for after a pause too", async () => {
  const schedule = own({ jitter: 20 * minute, missed: "skip" });
  const due = noon + (await fireIfDue(host(), schedule, row(schedule), noon));
  for (const [late, at] of [
    [minute, noon],
    [minute + 1, undefined],
  ] as const) {
    const world = host();
    await fireIfDue(world, schedule, row(schedule), due + late);
    expect(world.done[0]).toMatchObject({ to: noon + hour });
    expect((world.done[0] as ScheduleMove).job?.at).toBe(at);
  }
  // The firing at noon is the next one: it is not due yet.
  const world = host();
  await fireIfDue(world, schedule, row(schedule, { next: noon - 3 * hour }), due - 1);
  expect(world.done).toMatchObject([{ from: noon - 3 * hour, to: noon }]);
  expect(await messages()).toHaveLength(2);
});

test("a firing that waits for the job before it is not missed, however long it waits", async () => {
  const schedule = own({ overlap: "queue", missed: "skip" });
  const queued = new Map<OwnSchedule, number>();
  const late = 2.5 * hour;
  const waiting = host("running");
  for (const time of [noon, noon + late]) expect(await fire(waiting, schedule, row(schedule), time, queued)).toBe(1000);
  expect(waiting.done).toEqual([]);
  const world = host("ended");
  for (const next of [noon, noon + hour, noon + 2 * hour])
    expect(await fire(world, schedule, row(schedule, { next }), noon + late + 1000, queued)).toBe(0);
  const times = world.done.flatMap((done) => (typeof done === "string" ? [] : (done as ScheduleMove).job?.at));
  expect(times).toEqual([noon, noon + hour, noon + 2 * hour]);
  expect(await messages()).toEqual([]);
});
