import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KeptParts } from "../../../../../runtime/executor/kept/kept-parts.ts";
import { leaseSeconds } from "../../../../../runtime/executor/kept/lending.ts";
import { StoreRounds } from "../../../../../runtime/executor/kept/store-rounds.ts";
import type { RunningJob } from "../../../../../runtime/executor/running/running-job.ts";
import { StoreWrites } from "../../../../../runtime/executor/kept/store-writes.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Parts of a process whose rounds never come by themselves, on a store that reports nothing. */
function parts() {
  /** Milliseconds of each claim since the beginning. */
  const claims: number[] = [];
  /** Milliseconds between two rounds. */
  const periods: number[] = [];
  const began = performance.now();
  const store: Pick<JobStore, "ready" | "claim"> = {
    ready: () => () => {},
    claim: () => void claims.push(Math.round(performance.now() - began)),
  };
  const options = {
    store: store as JobStore,
    tools: [fakeTool(() => 1)],
    retired: [],
    every: (milliseconds: number) => (periods.push(milliseconds), () => {}),
    outside: <T>(callback: () => T): T => callback(),
    writes: new StoreWrites(),
    held: () => [],
    takesUp: () => true,
    room: () => 1,
    takeUp: () => expect.fail("nothing was claimed"),
  };
  return { options, claims, periods };
}

test.each([[[500]], [[2000, 500]], [[500, 2000]], [[1000, 500, 2000, 1000]]])(
  "jobs that were parked here for %j ms are claimed when their time comes",
  async (delays) => {
    const { options, claims, periods } = parts();
    const kept = new KeptParts(options);
    kept.parked({ waits: [], delay: 100 });
    await kept.rounds();
    for (const delay of delays) kept.parked({ waits: [], delay });
    kept.parked({ waits: [] });
    await vi.advanceTimersByTimeAsync(10_000);
    const times = [...new Set(delays)].toSorted((one, other) => one - other);
    expect(claims).toEqual(times.map((time) => time + 1));
    // A lease outlives two rounds that do not come.
    expect(periods).toEqual([(leaseSeconds * 1000) / 3]);
  },
);

test("a job that was parked until a time of day is claimed then", async () => {
  const { options, claims } = parts();
  const kept = new KeptParts(options);
  await kept.rounds();
  kept.parked({ waits: [], until: Date.now() + 1000 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(claims).toEqual([1001]);
});

test("before the first round and after the last one, no parked job is claimed", async () => {
  const { options, claims } = parts();
  const rounds = new StoreRounds(options);
  rounds.parked({ waits: [], delay: 500 });
  await vi.advanceTimersByTimeAsync(1000);
  rounds.start();
  rounds.parked({ waits: [], delay: 500 });
  await rounds.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(claims).toEqual([]);
});

test("leases are renewed in time while a store has more to do than fits into a round", async () => {
  const { options } = parts();
  const began = performance.now();
  const times: number[] = [];
  const renewing = {
    ...options.store,
    renew: () => (times.push(Math.round(performance.now() - began)), "ok"),
    reap: () => vi.advanceTimersByTimeAsync(2000).then(() => performance.now() - began < 20_000),
  };
  const lease = { id: "urn:platform:job:a", attempt: 1, token: "" } as const;
  const store = renewing as unknown as JobStore;
  const rounds = new StoreRounds({ ...options, store, held: () => [{ job: {} as RunningJob, lease }] });
  await rounds.go();
  expect(times).toEqual([0, 6000, 12_000, 18_000]);
});
