import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ScheduleDefinition } from "../../../../../runtime/contract/contract.ts";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { createSchedules, scheduleTable } from "../../../../../runtime/executor/schedules/schedules.ts";
import type { Timetable } from "../../../../../runtime/executor/store/timetable.ts";
import { ownSchedules } from "../../../../../runtime/executor/schedules/own-schedules.ts";
import { pauseSchedule, shownSchedules } from "../../../../../runtime/executor/store/shown-schedules.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemorySchedules } from "../../../../../runtime/executor/store/memory/memory-schedules.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { limitsOf } from "../../../../../runtime/job/limits/limits-of.ts";
import { timeOfJobId } from "../../../../../runtime/job/time-of-job-id.ts";
import type { Tool } from "../../../../../runtime/service/tools/tool.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

beforeAll(() => loadKept());

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const begin = Date.UTC(2026, 10, 24);
const hourly: ScheduleDefinition = {
  cron: "0 * * * *",
  zone: "UTC",
  request: { text: "go" },
  missed: "one",
  overlap: "skip",
};

let now: number;
let store: JobStore;
/** Jobs that began, as hours since the beginning. */
let fired: number[];
/** Ends the jobs that run. */
let held: (() => void)[];
const executors: Executor[] = [];

beforeEach(() => {
  loggingInit({ level: "CRITICAL" });
  now = begin + minute;
  fired = [];
  held = [];
  store = createMemoryStore();
  store.schedules = createMemorySchedules(() => now);
});

afterEach(async () => {
  for (const release of held) release();
  for (const executor of executors.splice(0)) await executor.drain(0);
});

function scheduled(schedules: readonly ScheduleDefinition[], body?: (job: JobContext) => unknown): Tool {
  return fakeTool(
    (_, job: JobContext) => {
      fired.push(((timeOfJobId(job.jobId) ?? 0) - begin) / hour);
      return body?.(job);
    },
    { definition: { schedules } },
  );
}

async function open(tool: Tool): Promise<Timetable & { executor: Executor; turns: () => Promise<number> }> {
  const executor = createExecutor({ tools: [tool], store });
  executors.push(executor);
  const schedules = createSchedules({ executor, tools: [tool], service: "s" });
  await schedules.plan();
  return {
    ...schedules,
    executor,
    /** Looks until nothing is due. */
    async turns() {
      for (;;) {
        const wait = await schedules.look();
        if (wait > 0) return wait;
      }
    },
  };
}

/** A body that runs until the test ends it. */
const untilReleased = (job: JobContext): Promise<void> =>
  new Promise((resolve, reject) => {
    held.push(resolve);
    job.signal.addEventListener("abort", () => reject(new Error("aborted")));
  });

describe("a firing", () => {
  test("is a job of the service itself: named by its time, without a caller, with the request of the schedule", async () => {
    const seen: unknown[] = [];
    const tool = scheduled([hourly], (job) => seen.push([job.jobId, job.origin, job.caller]));
    const { look, turns, lags } = await open(tool);
    expect(await look()).toBe(15_000);
    now = begin + hour - 5000;
    expect(await look()).toBe(5000);
    now = begin + hour;
    expect(await lags()).toEqual([{ tool: "echo", lag: 0 }]);
    now += 2000;
    expect(await lags()).toEqual([{ tool: "echo", lag: 2000 }]);
    await turns();
    const id = "urn:platform:job:schedule~echo~1~20261124T010000Z";
    expect(seen).toEqual([[id, "schedule", undefined]]);
    expect(
      await shownSchedules({ store, table: scheduleTable(store), own: ownSchedules([tool]), service: "s" }),
    ).toEqual({
      items: [
        {
          tool: "echo",
          number: 1,
          ...hourly,
          paused: false,
          next: "2026-11-24T02:00:00.000Z",
          last: "2026-11-24T01:00:00.000Z",
          "last-job": { id, status: "succeeded" },
        },
      ],
      "at-time": "2026-11-24T01:00:02.000Z",
    });
  });

  test("is late by its jitter, which differs from one to the next", async () => {
    const { turns } = await open(scheduled([{ ...hourly, jitter: 10 * minute }]));
    const delays: number[] = [];
    for (let hours = 1; hours <= 5; hours++) {
      let late = -1;
      while (fired.length < hours) {
        now = begin + hours * hour + ++late * minute;
        await turns();
      }
      delays.push(late);
    }
    expect(fired).toEqual([1, 2, 3, 4, 5]);
    expect(Math.max(...delays)).toBeLessThanOrEqual(10);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });

  test("of one schedule that fails does not hold up the others", async () => {
    const tool = scheduled([hourly, hourly]);
    const { look } = await open(tool);
    now = begin + hour;
    const { submit } = store;
    store.submit = (job, ...more) => {
      if (job.id.includes("~1~")) throw new Error("full");
      return submit.call(store, job, ...more);
    };
    await expect(look()).rejects.toThrow("full");
    expect(fired).toEqual([1]);
    store.submit = submit;
    await look();
    expect(fired).toEqual([1, 1]);
  });
});

describe("what was missed", () => {
  test.each([
    ["one", 3 * hour + minute, [3]],
    ["one", 30 * day + minute, [30 * 24]],
    ["skip", 3 * hour + 2 * minute, []],
    ["skip", 3 * hour + 30_000, [3]],
    ["all", 3 * hour + minute, [1, 2, 3]],
    ["all", 30 * day, Array.from({ length: 100 }, (_, index) => 30 * 24 - 99 + index)],
  ] as const)("is made up for with missed=%s, %d ms behind the start", async (missed, later, expected) => {
    const { turns } = await open(scheduled([{ ...hourly, missed, overlap: "allow" }]));
    now = begin + later;
    await turns();
    expect(fired).toEqual(expected);
    now = begin + Math.ceil((later + 1) / hour) * hour;
    await turns();
    expect(fired).toHaveLength(expected.length + 1);
  });

  test("and is older than a day fires no more", async () => {
    const { turns } = await open(scheduled([{ ...hourly, cron: "0 3 * * 2" }]));
    now = begin + 2 * day;
    await turns();
    expect(fired).toEqual([]);
    now = begin + 7 * day + 3 * hour;
    await turns();
    expect(fired).toEqual([7 * 24 + 3]);
  });
});

describe("a firing while the job before it runs", () => {
  test("is left out with overlap=skip", async () => {
    const { turns } = await open(scheduled([hourly], untilReleased));
    for (const hours of [1, 2]) {
      now = begin + hours * hour;
      await turns();
    }
    expect(fired).toEqual([1]);
    for (const release of held) release();
    // Its end is stored first, since a firing that comes before that is left out for good.
    const first = async (): Promise<unknown> =>
      (await store.get("urn:platform:job:schedule~echo~1~20261124T010000Z"))?.outcome?.state;
    await expect.poll(first).toBe("succeeded");
    now = begin + 3 * hour;
    await expect.poll(async () => (await turns(), fired)).toEqual([1, 3]);
  });

  test("waits for its end with overlap=queue", async () => {
    const { turns } = await open(scheduled([{ ...hourly, missed: "all", overlap: "queue" }], untilReleased));
    now = begin + 3 * hour;
    expect(await turns()).toBe(1000);
    expect(fired).toEqual([1]);
    held.shift()?.();
    await expect.poll(async () => (await turns(), fired)).toEqual([1, 2]);
    held.shift()?.();
    await expect.poll(async () => (await turns(), fired)).toEqual([1, 2, 3]);
  });

  test("ends it with overlap=cancel, and does not care with overlap=allow", async () => {
    const { turns, executor } = await open(
      scheduled(
        [
          { ...hourly, overlap: "cancel" },
          { ...hourly, overlap: "allow" },
        ],
        untilReleased,
      ),
    );
    for (const hours of [1, 2]) {
      now = begin + hours * hour;
      await turns();
    }
    expect(fired).toEqual([1, 1, 2, 2]);
    const first = await executor.find("urn:platform:job:schedule~echo~1~20261124T010000Z");
    expect(first?.state).toBe("cancelled");
    expect(executor.jobs.map(({ id }) => id.slice("urn:platform:job:schedule~echo~".length))).toEqual([
      "2~20261124T010000Z",
      "1~20261124T020000Z",
      "2~20261124T020000Z",
    ]);
  });
});

test("a firing above the limit of its tool waits, also where a caller would be refused", async () => {
  const tool = scheduled([{ ...hourly, overlap: "allow" }], untilReleased);
  const definition = { ...tool.definition, limit: { jobs: 1, beyond: "refuse" as const } };
  const { turns } = await open({ ...tool, definition, functions: { ...tool.functions, limits: limitsOf } });
  for (const hours of [1, 2]) {
    now = begin + hours * hour;
    await turns();
  }
  expect(fired).toEqual([1]);
  held.shift()?.();
  await expect.poll(() => fired).toEqual([1, 2]);
});

test("a paused schedule fires nothing, and makes up for nothing when it goes on", async () => {
  const tool = scheduled([{ ...hourly, missed: "all", overlap: "allow" }]);
  const { turns } = await open(tool);
  const options = { store, table: scheduleTable(store), own: ownSchedules([tool]), service: "s" };
  const paused = await pauseSchedule(options, { tool: "echo", number: 1, paused: true });
  expect(paused).toMatchObject({ paused: true });
  expect(paused).not.toHaveProperty("next");
  now = begin + 5 * hour + minute;
  await turns();
  const resumed = await pauseSchedule(options, { tool: "echo", number: 1, paused: false });
  expect(resumed).toMatchObject({ paused: false, next: "2026-11-24T06:00:00.000Z" });
  await turns();
  expect(fired).toEqual([]);
  now = begin + 6 * hour;
  await turns();
  expect(fired).toEqual([6]);
  await expect(pauseSchedule(options, { tool: "echo", number: 2, paused: true })).rejects.toThrow("no such schedule");
});

describe("another build", () => {
  test("changes and removes schedules, and one that goes on misses nothing", async () => {
    await open(scheduled([hourly, { ...hourly, cron: "30 * * * *" }]));
    now = begin + hour + 31 * minute;
    // Due since the hour, while the process was exchanged; the second schedule is gone.
    const { turns } = await open(scheduled([{ ...hourly, request: { text: "other" } }]));
    await turns();
    expect(fired).toEqual([1]);
    expect((await store.schedules?.read("s"))?.rows).toHaveLength(1);
  });

  test("takes its schedules from a replica of the old one", async () => {
    const old = await open(scheduled([hourly]));
    await open(scheduled([{ ...hourly, request: { text: "other" } }]));
    now = begin + hour;
    expect(await old.look()).toBe(15_000);
    expect(fired).toEqual([]);
  });
});

test("a job that a process owed when it died is stored by the next one", async () => {
  const tool = scheduled([hourly]);
  const { look } = await open(tool);
  now = begin + hour;
  const { submit } = store;
  store.submit = () => {
    throw new Error("killed");
  };
  await expect(look()).rejects.toThrow("killed");
  store.submit = submit;
  now = begin + hour + 10 * minute;
  const { turns } = await open(tool);
  await turns();
  expect(fired).toEqual([1]);
});
