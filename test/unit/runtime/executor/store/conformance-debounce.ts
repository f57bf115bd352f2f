import { describe, expect } from "vitest";
import type { JobLimit } from "../../../../../runtime/job/limits/job-limit.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { JobStore, Lease, NewJob, SubmitAnswer } from "../../../../../runtime/executor/store/job-store.ts";
import type { VirtualClock } from "./store-model.ts";

interface Opened {
  readonly store: JobStore;
  readonly clock: VirtualClock;
}

function urn(name: string): JobUrn {
  return `urn:platform:job:${name}`;
}

function debounced(name: string, n: number, more: Partial<JobLimit> = {}, job: Partial<NewJob> = {}): NewJob {
  const limit = { key: 'one request.a "x"', debounce: { wait: 5000, most: 12_000 }, retryAfter: 3, ...more };
  return { id: urn(name), tool: "one", input: { n }, ttl: 60, maxAttempts: 3, limit, ...job };
}

/** Promises of a debounce: the last request of some runs, once, and all callers have that job. */
export function describeDebounce(
  fresh: () => Promise<Opened>,
  promise: (title: string, body: () => Promise<void>) => void,
): void {
  /** The names of the jobs that can be claimed, with what they were asked. */
  const claimed = async ({ store }: Opened): Promise<readonly unknown[]> => {
    await store.reap();
    const found: unknown[] = [];
    for (;;) {
      const claim = await store.claim({ seconds: 600 });
      if (claim === undefined) return found;
      found.push([claim.job.id.slice(urn("").length), claim.job.input, claim.job.caller?.subject]);
    }
  };
  const submit = async ({ store }: Opened, job: NewJob, seconds?: number): Promise<SubmitAnswer> =>
    store.submit(job, seconds);

  describe("a debounce", () => {
    promise("runs the last request of some, once no other has come; all have one job", async () => {
      const here = await fresh();
      const first = await submit(here, debounced("a", 1), 15);
      expect(first).toMatchObject({ kind: "created", waiting: { line: { limit: "a", ahead: 0 } } });
      expect(first).not.toHaveProperty("lease");
      here.clock.advance(4000);
      expect(await submit(here, debounced("b", 2), 15)).toMatchObject({ kind: "existing", record: { id: urn("a") } });
      expect(await here.store.get(urn("b"))).toBeUndefined();
      expect(await submit(here, debounced("other", 7, { key: 'one request.a "y"' }))).toHaveProperty("waiting");
      here.clock.advance(4999);
      expect(await claimed(here)).toEqual([]);
      here.clock.advance(1);
      expect((await claimed(here)).toSorted()).toEqual([
        ["a", { n: 2 }, undefined],
        ["other", { n: 7 }, undefined],
      ]);
      // It has started: the next one is another job.
      expect(await submit(here, debounced("c", 3))).toHaveProperty("waiting");
      here.clock.advance(5000);
      expect(await claimed(here)).toEqual([["c", { n: 3 }, undefined]]);
    });

    promise("does not wait longer than it may, however many come", async () => {
      const here = await fresh();
      for (let n = 0; n < 4; n++) {
        await submit(here, debounced(`a${n}`, n));
        expect(await claimed(here)).toEqual([]);
        here.clock.advance(3999);
      }
      expect(await claimed(here)).toEqual([["a0", { n: 3 }, undefined]]);
    });

    promise("takes a changed time from the next request on, also if it has passed", async () => {
      const here = await fresh();
      const after = (wait: number, most?: number): Partial<JobLimit> => ({
        debounce: { wait, ...(most !== undefined && { most }) },
      });
      await submit(here, debounced("a", 1, after(3_600_000)));
      await submit(here, debounced("b", 2, after(4000)));
      here.clock.advance(3999);
      expect(await claimed(here)).toEqual([]);
      await submit(here, debounced("c", 3, after(3_600_000)));
      here.clock.advance(3999);
      expect(await claimed(here)).toEqual([]);
      await submit(here, debounced("d", 4, after(3_600_000, 6000)));
      expect(await claimed(here)).toEqual([["a", { n: 4 }, undefined]]);
    });

    promise("takes messages of its job while it waits, and goes on to join requests", async () => {
      const here = await fresh();
      const { store } = here;
      await submit(here, debounced("a", 1));
      expect(await store.send(urn("a"), { name: "approval", body: "true", once: "k" })).toBe("ok");
      expect(await submit(here, debounced("b", 2))).toMatchObject({ kind: "existing", record: { id: urn("a") } });
      expect(await store.send(urn("a"), { name: "approval", body: "true", once: "k" })).toBe("known");
      here.clock.advance(5000);
      await store.reap();
      const claim = await store.claim({ seconds: 600 });
      if (claim === undefined) throw new Error("no job");
      expect(claim.job.input).toEqual({ n: 2 });
      const messages = [{ name: "approval", body: "true" }];
      expect(await store.recall(urn("a"))).toMatchObject({ messages });
      await store.settle(claim.lease, { state: "succeeded", result: { kind: "text", text: "" } });
      expect(await store.recall(urn("a"))).toMatchObject({ messages });
      // Its request is stored with its messages.
      expect(await store.fork(urn("a"), urn("again"), [])).toBe("ok");
    });

    promise("keeps callers apart, and each gets a job of its own", async () => {
      const here = await fresh();
      const by = (owner: string): Partial<NewJob> => ({ owner, caller: { subject: owner } as never });
      await submit(here, debounced("a", 1, {}, by("anna")));
      await submit(here, debounced("b", 2, {}, by("bert")));
      await submit(here, debounced("c", 3, {}, by("anna")));
      here.clock.advance(5000);
      expect((await claimed(here)).toSorted()).toEqual([
        ["a", { n: 3 }, "anna"],
        ["b", { n: 2 }, "bert"],
      ]);
    });

    promise("goes together with a number at a time: what waits for its turn takes later requests", async () => {
      const here = await fresh();
      await submit(here, debounced("a", 1, { jobs: 1 }));
      here.clock.advance(5000);
      expect(await claimed(here)).toEqual([["a", { n: 1 }, undefined]]);
      await submit(here, debounced("b", 2, { jobs: 1 }));
      here.clock.advance(60_000);
      expect(await claimed(here)).toEqual([]);
      expect(await submit(here, debounced("c", 3, { jobs: 1 }))).toMatchObject({ record: { id: urn("b") } });
      await here.store.cancel(urn("a"), "enough");
      expect(await claimed(here)).toEqual([["b", { n: 3 }, undefined]]);
    });

    promise("forgets a cancelled one, and leaves a job that starts again alone", async () => {
      const here = await fresh();
      await submit(here, debounced("a", 1));
      await here.store.cancel(urn("a"), "enough");
      expect(await submit(here, debounced("b", 2))).toMatchObject({ kind: "created" });
      here.clock.advance(5000);
      await here.store.reap();
      const claim = await here.store.claim({ seconds: 600 });
      if (claim === undefined) throw new Error("the store gave no claim");
      await here.store.release(claim.lease, 1);
      expect(await submit(here, debounced("c", 3))).toMatchObject({ kind: "created" });
      here.clock.advance(5000);
      expect((await claimed(here)).toSorted()).toEqual([
        ["b", { n: 2 }, undefined],
        ["c", { n: 3 }, undefined],
      ]);
    });

    promise(
      "answers a repeated call with its own job, and leaves the request of the one that waits alone",
      async () => {
        const here = await fresh();
        const keyed = (name: string, n: number, digest = "1"): NewJob =>
          debounced(name, n, {}, { idempotency: { key: "k", digest } });
        await submit(here, keyed("a", 1));
        await submit(here, debounced("b", 2));
        expect(await submit(here, keyed("c", 1))).toMatchObject({ kind: "existing", record: { id: urn("a") } });
        expect(await submit(here, keyed("d", 4, "4"))).toEqual({ kind: "conflict" });
        expect(await submit(here, debounced("a", 1))).toMatchObject({ kind: "existing", record: { id: urn("a") } });
        here.clock.advance(5000);
        expect(await claimed(here)).toEqual([["a", { n: 2 }, undefined]]);
        // Another job waits by now.
        await submit(here, debounced("e", 5));
        for (const repeated of [keyed("f", 1), debounced("a", 1)])
          expect(await submit(here, repeated)).toMatchObject({ kind: "existing", record: { id: urn("a") } });
        here.clock.advance(5000);
        expect(await claimed(here)).toEqual([["e", { n: 5 }, undefined]]);
      },
    );

    promise("forgets the idempotency key of a request that joins a job", async () => {
      const here = await fresh();
      const keyed = (name: string): NewJob => debounced(name, 0, {}, { idempotency: { key: "k", digest: "1" } });
      await submit(here, debounced("a", 1));
      expect(await submit(here, keyed("b"))).toMatchObject({ kind: "existing", record: { id: urn("a") } });
      here.clock.advance(5000);
      expect(await claimed(here)).toEqual([["a", { n: 0 }, undefined]]);
      // Another job has the id by now, and no key.
      await submit(here, debounced("b", 2));
      here.clock.advance(5000);
      expect(await claimed(here)).toEqual([["b", { n: 2 }, undefined]]);
      expect(await submit(here, keyed("c"))).toMatchObject({ kind: "created" });
    });

    promise("delays no other job: one without a debounce starts at once", async () => {
      const here = await fresh();
      const plain = (name: string, more: Partial<JobLimit> = {}): NewJob => {
        const { limit, ...job } = debounced(name, 0, more);
        const { debounce: _, ...rest } = limit ?? { key: "none", retryAfter: 1 };
        return { ...job, limit: rest };
      };
      await submit(here, debounced("a", 1));
      expect(await submit(here, plain("b"), 600)).toHaveProperty("lease");
      const rate = { pace: 60_000, burst: 1, text: "1/min" };
      const others = { key: 'one request.a "y"', rate };
      await submit(here, debounced("c", 3, others));
      expect(await submit(here, plain("d", others), 600)).toHaveProperty("lease");
      here.clock.advance(5000);
      expect(await claimed(here)).toEqual([["a", { n: 1 }, undefined]]);
      here.clock.advance(55_000);
      expect(await claimed(here)).toEqual([["c", { n: 3 }, undefined]]);
    });

    promise("ends in time behind a job without one that waits for its turn", async () => {
      const here = await fresh();
      const plain = (name: string): NewJob => ({
        ...debounced(name, 0),
        limit: { key: "one", jobs: 1, retryAfter: 3 },
      });
      const waiting = (name: string, n: number): NewJob => debounced(name, n, { key: "one", jobs: 1 });
      const ends = async (claim: { readonly lease?: Lease } | undefined): Promise<unknown> =>
        claim?.lease && here.store.settle(claim.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
      const a = await submit(here, plain("a"), 600);
      await submit(here, waiting("b", 1));
      here.clock.advance(1000);
      await submit(here, plain("c"));
      here.clock.advance(1000);
      await submit(here, waiting("d", 2));
      here.clock.advance(3000);
      expect(await claimed(here)).toEqual([]);
      expect(await ends(a.kind === "created" ? a : undefined)).toBe("ok");
      const c = await here.store.claim({ seconds: 600 });
      expect(c?.job.id).toBe(urn("c"));
      expect(await ends(c)).toBe("ok");
      here.clock.advance(1999);
      expect(await claimed(here)).toEqual([]);
      here.clock.advance(1);
      expect(await claimed(here)).toEqual([["b", { n: 2 }, undefined]]);
    });

    promise("takes many at once as one job", async () => {
      const here = await fresh();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => submit(here, debounced(`a${n}`, n))));
      expect(answers.filter(({ kind }) => kind === "created")).toHaveLength(1);
      here.clock.advance(5000);
      expect(await claimed(here)).toEqual([["a0", { n: 19 }, undefined]]);
    });
  });
}
