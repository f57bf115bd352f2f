import { describe, expect } from "vitest";
import type { JobLimit, JobRate } from "../../../../../runtime/job/limits/job-limit.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { JobStore, NewJob, SubmitAnswer } from "../../../../../runtime/executor/store/job-store.ts";
import type { TellsHeld } from "../../../../../runtime/executor/store/held-jobs.ts";
import type { VirtualClock } from "./store-model.ts";

interface Opened {
  readonly store: JobStore & Partial<TellsHeld>;
  readonly clock: VirtualClock;
}

const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;
const minute: JobRate = { pace: 60_000, burst: 1, text: "1/min" };

function urn(name: string): JobUrn {
  return `urn:platform:job:${name}`;
}

function rated(name: string, rate: Partial<JobRate> = {}, more: Partial<JobLimit> = {}): NewJob {
  const limit = { key: 'one request.a "x"', rate: { ...minute, ...rate }, retryAfter: 3, ...more };
  return { id: urn(name), tool: "one", input: { n: 1 }, ttl: 60, maxAttempts: 3, limit };
}

/** Promises of rates: as many jobs of a key start in a time as it says; the others wait, and know when they start. */
export function describeRates(
  fresh: () => Promise<Opened>,
  promise: (title: string, body: () => Promise<void>) => void,
): void {
  /** A round lets in whose time has come; a timer of the store does the same. */
  const claimed = async ({ store }: Opened): Promise<readonly string[]> => {
    await store.reap();
    const names: string[] = [];
    for (;;) {
      const claim = await store.claim({ seconds: 600 });
      if (claim === undefined) return names;
      names.push(claim.job.id.slice(urn("").length));
    }
  };
  const submit = async ({ store }: Opened, job: NewJob, seconds?: number): Promise<SubmitAnswer> =>
    store.submit(job, seconds);
  /** Seconds from now until a job starts. */
  const startOf = async ({ store, clock }: Opened, name: string): Promise<number | undefined> => {
    const time = (await store.get(urn(name)))?.waiting?.line?.time;
    return time === undefined ? undefined : Math.round((Date.parse(time) - clock.now()) / 1000);
  };
  /** The clock of a store in memory is another one than that of its times. */
  const isTimed = ({ store }: Opened): boolean => store.schedules !== undefined;

  describe("a rate", () => {
    promise("lets one start after the other, says when, and does not wait for ends", async () => {
      const here = await fresh();
      expect(await submit(here, rated("a"), 600)).toHaveProperty("lease");
      const second = await submit(here, rated("b"), 600);
      expect(second).toMatchObject({ kind: "created", waiting: { waits: [], line: { limit: "a", ahead: 0 } } });
      expect(second).not.toHaveProperty("lease");
      await submit(here, rated("c"));
      expect(await submit(here, rated("other", {}, { key: 'one request.a "y"' }), 600)).toHaveProperty("lease");
      if (isTimed(here)) expect([await startOf(here, "b"), await startOf(here, "c")]).toEqual([60, 120]);
      expect(await claimed(here)).toEqual([]);
      here.clock.advance(59_999);
      expect(await claimed(here)).toEqual([]);
      here.clock.advance(1);
      expect(await claimed(here)).toEqual(["b"]);
      expect((await here.store.get(urn("c")))?.waiting?.line?.ahead).toBe(0);
      if (isTimed(here)) expect(await startOf(here, "c")).toBe(60);
      here.clock.advance(60_000);
      expect(await claimed(here)).toEqual(["c"]);
    });

    promise("lets a burst start at once after a pause, and not more", async () => {
      const here = await fresh();
      const names = ["a", "b", "c", "d", "e"];
      for (const name of names) await submit(here, rated(name, { burst: 3 }));
      expect(await claimed(here)).toEqual(["a", "b", "c"]);
      here.clock.advance(60_000);
      expect(await claimed(here)).toEqual(["d"]);
      here.clock.advance(300_000);
      for (const name of ["f", "g", "h"]) await submit(here, rated(name, { burst: 3 }));
      // One of the three was waiting.
      expect((await claimed(here)).toSorted()).toEqual(["e", "f", "g"]);
      here.clock.advance(59_000);
      expect(await claimed(here)).toEqual([]);
    });

    promise("gives the turn of a cancelled one to the next", async () => {
      const here = await fresh();
      for (const name of ["a", "b", "c"]) await submit(here, rated(name));
      await here.store.cancel(urn("b"), "enough");
      if (isTimed(here)) expect(await startOf(here, "c")).toBe(60);
      expect(await claimed(here)).toEqual(["a"]);
      here.clock.advance(59_999);
      expect(await claimed(here)).toEqual([]);
      here.clock.advance(1);
      expect(await claimed(here)).toEqual(["c"]);
    });

    promise("that refuses stores nothing, and says when to come again", async () => {
      const here = await fresh();
      const job = (name: string): NewJob => rated(name, {}, { beyond: "refuse" });
      await submit(here, job("a"), 600);
      here.clock.advance(15_500);
      await expect((async () => submit(here, job("b"), 600))()).rejects.toMatchObject({
        kind: "too-many-requests",
        retryAfter: 45,
        message: expect.stringContaining("start at 1/min at most") as string,
      });
      expect(await here.store.get(urn("b"))).toBeUndefined();
      expect(await submit(here, job("a"))).toMatchObject({ kind: "existing" });
      here.clock.advance(44_500);
      expect(await submit(here, job("b"), 600)).toHaveProperty("lease");
    });

    promise("that refuses takes a faster rate, and a clock that is set back, from the next call on", async () => {
      const here = await fresh();
      const job = (name: string, pace: number, key: string): NewJob => rated(name, { pace }, { beyond: "refuse", key });
      const refused = async (...values: Parameters<typeof job>): Promise<unknown> =>
        submit(here, job(...values), 600).catch(({ retryAfter }: { readonly retryAfter?: number }) => retryAfter);
      await submit(here, job("a", 86_400_000, "day"), 600);
      expect(await refused("b", 10_000, "day")).toBe(10);
      here.clock.advance(9999);
      expect(await refused("c", 10_000, "day")).toBe(1);
      here.clock.advance(1);
      expect(await submit(here, job("d", 10_000, "day"), 600)).toHaveProperty("lease");
      await submit(here, job("e", 6000, "back"), 600);
      here.clock.advance(-7_200_000);
      expect(await refused("f", 6000, "back")).toBe(6);
      here.clock.advance(6000);
      expect(await submit(here, job("g", 6000, "back"), 600)).toHaveProperty("lease");
    });

    promise("goes together with a number at a time", async () => {
      const here = await fresh();
      const job = (name: string): NewJob => rated(name, { burst: 2 }, { jobs: 1 });
      const first = await submit(here, job("a"), 600);
      await submit(here, job("b"));
      await submit(here, job("c"));
      expect(await claimed(here)).toEqual([]);
      const lease = first.kind === "created" ? first.lease : undefined;
      if (lease === undefined) throw new Error("the job has no lease");
      await here.store.settle(lease, done);
      expect(await claimed(here)).toEqual(["b"]);
      await here.store.cancel(urn("b"), "enough");
      // There is a place, and both starts are used up.
      expect(await claimed(here)).toEqual([]);
      here.clock.advance(60_000);
      expect(await claimed(here)).toEqual(["c"]);
    });

    promise("that grows counts with the next call, one that shrinks too", async () => {
      const here = await fresh();
      for (const name of ["a", "b", "c"]) await submit(here, rated(name));
      expect(await claimed(here)).toEqual(["a"]);
      await submit(here, rated("d", { pace: 1000 }));
      here.clock.advance(1000);
      expect(await claimed(here)).toEqual(["b"]);
      await submit(here, rated("e", { pace: 10_000 }));
      here.clock.advance(1000);
      expect(await claimed(here)).toEqual(["c"]);
      here.clock.advance(9999);
      expect(await claimed(here)).toEqual([]);
      here.clock.advance(1);
      expect(await claimed(here)).toEqual(["d"]);
    });

    promise("takes any text as a key, and leaves no line behind", async () => {
      const here = await fresh();
      const keys = ["__proto__", "constructor", "a'b\"c\\", "ü\u{1f600}", "x".repeat(300)];
      for (const [n, key] of keys.entries()) {
        expect(await submit(here, rated(`a${n}`, {}, { key }), 600)).toHaveProperty("lease");
        expect(await submit(here, rated(`b${n}`, {}, { key }), 600)).toHaveProperty("waiting");
      }
      here.clock.advance(60_000);
      expect((await claimed(here)).toSorted()).toEqual(keys.map((_, n) => `b${n}`));
      here.clock.advance(60_000);
      await here.store.reap();
      expect(await claimed(here)).toEqual([]);
      expect((await here.store.heldJobs?.(10))?.keys ?? []).toEqual([]);
    });
  });
}
