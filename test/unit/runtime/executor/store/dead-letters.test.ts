import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasDeadLetters, type DeadLetters } from "../../../../../runtime/executor/store/dead-letters.ts";
import type { CountsJobs } from "../../../../../runtime/executor/store/job-counts.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { SqliteStoreOptions } from "../../../../../runtime/executor/store/sqlite/store-options.ts";
import { event, given, newJob, urn } from "./conformance.ts";
import { sqlitePlace, type SqlitePlace } from "./sqlite-place.ts";
import { interruptedError, VirtualClock } from "./store-model.ts";

let place: SqlitePlace;
let clock: VirtualClock;
let store: JobStore & DeadLetters & CountsJobs;
function open(options: SqliteStoreOptions = {}): void {
  store = place.open({ now: clock.now, ...options });
}
beforeEach(() => {
  place = sqlitePlace();
  clock = new VirtualClock();
});
afterEach(async () => {
  await store.close();
  place.remove();
});

/** Submits a job and loses all its attempts. */
async function bury(name: string): Promise<void> {
  await store.submit(newJob(name, { maxAttempts: 1, ttl: 60, input: { name }, owner: "anna" }));
  await store.claim({ seconds: 15, id: urn(name) });
  clock.advance(15_000);
  await store.reap();
}

test("only a store that outlives its workers has dead letters", () => {
  open();
  expect([hasDeadLetters(store), hasDeadLetters(createMemoryStore())]).toEqual([true, false]);
});

describe("dead letters", () => {
  test("are counted until they are put back, and then wait from that moment", async () => {
    open();
    await bury("a");
    const none = { tool: "one", waiting: 0, running: 0, dead: 0, oldestWaiting: 0 };
    expect(await store.counts()).toEqual([{ ...none, dead: 1 }]);
    await store.redrive(urn("a"));
    clock.advance(2000);
    expect(await store.counts()).toEqual([{ ...none, waiting: 1, oldestWaiting: 2 }]);
  });

  test("are listed, the latest first, also when the job itself has expired, and after a restart", async () => {
    open();
    await bury("a");
    await bury("b");
    clock.advance(3_600_000);
    await store.reap();
    expect(await store.get(urn("a"))).toBeUndefined();
    await store.close();
    open();
    const letters = await store.deadLetters();
    expect(letters.map(({ id }) => id)).toEqual([urn("b"), urn("a")]);
    expect(letters[1]).toEqual({
      id: urn("a"),
      tool: "one",
      owner: "anna",
      attempt: 1,
      endedAt: clock.now() - 3_600_000 - 15_000,
      error: interruptedError,
    });
    expect(await store.deadLetters(1)).toHaveLength(1);
  });

  test("can be put back, with all attempts and without the events of the lost ones", async () => {
    open();
    await store.submit(newJob("a", { maxAttempts: 1, input: { n: 7 } }));
    const { lease } = given(await store.claim({ seconds: 15 }));
    await store.progress(lease, [event(1), event(2)]);
    clock.advance(15_000);
    await store.reap();
    expect(await store.redrive(urn("a"))).toBe("ok");
    expect(await store.redrive(urn("a"))).toBe("unknown");
    expect(await store.deadLetters()).toEqual([]);
    expect(await store.get(urn("a"))).toEqual({ id: urn("a"), tool: "one", state: "pending", attempt: 0, events: [] });
    const again = given(await store.claim({ seconds: 15 }));
    expect(again.job.input).toEqual({ n: 7 });
    expect(again.lease).toMatchObject({ attempt: 1 });
    // The same attempt number, another token: the lost worker stays out.
    expect(await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "0" } })).toBe("stale");
    expect(await store.progress(again.lease, [event(1, "new")])).toBe("ok");
    expect(await store.settle(again.lease, { state: "succeeded", result: { kind: "json", json: "1" } })).toBe("ok");
    expect(await store.get(urn("a"))).toMatchObject({ state: "succeeded", events: [event(1, "new")] });
  });

  test("a job that ended otherwise is none", async () => {
    open();
    await store.submit(newJob("a"));
    const { lease } = given(await store.claim({ seconds: 15 }));
    await store.settle(lease, { state: "error", error: { kind: "system", message: "The tool failed." } });
    await store.submit(newJob("b"));
    await store.cancel(urn("b"), "why");
    expect(await store.deadLetters()).toEqual([]);
    expect(await store.redrive(urn("a"))).toBe("unknown");
    expect(await store.redrive(urn("nobody"))).toBe("unknown");
  });

  test("are bounded in time and number, the oldest go first", async () => {
    open({ maxDeadLetters: 2, deadLetterTtl: 86_400 });
    for (const name of ["a", "b", "c"]) await bury(name);
    expect((await store.deadLetters()).map(({ id }) => id)).toEqual([urn("c"), urn("b")]);
    clock.advance(86_400_000 - 15_000);
    await store.reap();
    expect((await store.deadLetters()).map(({ id }) => id)).toEqual([urn("c")]);
    clock.advance(15_000);
    await store.reap();
    expect(await store.deadLetters()).toEqual([]);
  });
});

describe("a worker that is known to be dead", () => {
  test("costs its job an attempt at once; the last words are in the dead letter, not in the answer", async () => {
    open();
    await store.submit(newJob("a", { maxAttempts: 2 }));
    const first = given(await store.claim({ seconds: 1000 })).lease;
    expect(await store.lose(first, "exit code 1")).toBe("ok");
    expect(await store.lose(first, "exit code 1")).toBe("stale");
    expect(await store.get(urn("a"))).toMatchObject({ state: "pending", attempt: 1 });
    const second = given(await store.claim({ seconds: 1000 })).lease;
    expect(await store.lose(second, "exit code 137\nkilled")).toBe("ok");
    expect(await store.lose(second, "again")).toBe("ended");
    expect(JSON.stringify(await store.get(urn("a")))).not.toContain("137");
    expect(await store.deadLetters()).toMatchObject([{ id: urn("a"), attempt: 2, detail: "exit code 137\nkilled" }]);
    expect(await store.lose({ ...second, id: urn("nobody") }, "x")).toBe("unknown");
  });

  test("leaves other jobs alone", async () => {
    open();
    for (const name of ["a", "b"]) await store.submit(newJob(name));
    const { lease } = given(await store.claim({ seconds: 10 }));
    const other = given(await store.claim({ seconds: 10 })).lease;
    clock.advance(20_000);
    await store.lose(lease, "gone");
    expect(await store.renew(other, 10)).toBe("ok");
  });
});

describe("endLeases: the workers lived in the process that had the file before", () => {
  test("a job that may run again waits at once, another ends as interrupted", async () => {
    open();
    await store.submit(newJob("again", { maxAttempts: 3 }));
    await store.submit(newJob("once", { maxAttempts: 1 }));
    const { lease } = given(await store.claim({ seconds: 1e6 }));
    await store.claim({ seconds: 1e6 });
    await store.close();
    open({ endLeases: true });
    expect(await store.get(urn("again"))).toMatchObject({ state: "pending", attempt: 1 });
    expect(await store.get(urn("once"))).toMatchObject({ state: "error", outcome: { error: interruptedError } });
    expect(await store.renew(lease, 10)).toBe("stale");
    expect(given(await store.claim({ seconds: 15 })).lease.attempt).toBe(2);
  });
});
