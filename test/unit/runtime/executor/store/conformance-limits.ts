import { describe, expect } from "vitest";
import type { JobLimit } from "../../../../../runtime/job/limits/job-limit.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { Claim, JobStore, NewJob, SubmitAnswer } from "../../../../../runtime/executor/store/job-store.ts";
import { hasDeadLetters } from "../../../../../runtime/executor/store/dead-letters.ts";
import type { KeyQuery, TellsHeld } from "../../../../../runtime/executor/store/held-jobs.ts";
import type { CountsJobs } from "../../../../../runtime/executor/store/job-counts.ts";
import type { VirtualClock } from "./store-model.ts";

interface Opened {
  readonly store: JobStore & CountsJobs & Partial<TellsHeld>;
  readonly clock: VirtualClock;
}

const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;

function urn(name: string): JobUrn {
  return `urn:platform:job:${name}`;
}

function limited(name: string, more: Partial<JobLimit> = {}, job: Partial<NewJob> = {}): NewJob {
  const limit = { key: 'one request.a "x"', jobs: 1, retryAfter: 3, ...more };
  return { id: urn(name), tool: "one", input: { n: 1 }, ttl: 60, maxAttempts: 3, limit, ...job };
}

function given(claim: Claim | undefined): Claim {
  if (claim === undefined) throw new Error("the store gave no claim");
  return claim;
}

/** The state of a job, as a text: its place in the line, or what it is. */
async function stateOf(store: JobStore, name: string): Promise<string | undefined> {
  const record = await store.get(urn(name));
  const line = record?.waiting?.line;
  return line === undefined ? record?.state : `${line.ahead} before it, by ${line.limit}`;
}

/** Promises of limits: as many jobs of a key at a time as it says, and whoever ends one lets the next one in. */
export function describeLimits(
  fresh: () => Promise<Opened>,
  promise: (title: string, body: () => Promise<void>) => void,
): void {
  const claim = async (store: JobStore): Promise<Claim> => given(await store.claim({ seconds: 15 }));
  const submit = async (store: JobStore, job: NewJob, seconds?: number): Promise<SubmitAnswer> =>
    store.submit(job, seconds);

  describe("a limit", () => {
    promise("keeps the jobs of a key waiting, tells their place, and lets the next one in at each end", async () => {
      const { store } = await fresh();
      const first = await submit(store, limited("a"), 15);
      expect(first).toMatchObject({ kind: "created", lease: { id: urn("a"), attempt: 1 } });
      const second = await submit(store, limited("b"), 15);
      expect(second).toEqual({ kind: "created", waiting: { waits: [], line: { limit: "a", ahead: 0 } } });
      expect(await submit(store, limited("c"))).toMatchObject({ waiting: { line: { ahead: 1 } } });
      expect(await submit(store, limited("other", { key: 'one request.a "y"' }), 15)).toHaveProperty("lease");
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      expect(await store.claim({ seconds: 15, id: urn("b") })).toBeUndefined();
      expect(await stateOf(store, "b")).toBe("0 before it, by a");
      expect(await stateOf(store, "c")).toBe("1 before it, by a");
      expect(await submit(store, limited("b"))).toMatchObject({ kind: "existing", record: { state: "pending" } });
      const lease = first.kind === "created" ? first.lease : undefined;
      if (lease === undefined) throw new Error("the job has no lease");
      expect(await store.settle(lease, done)).toBe("ok");
      expect(await store.settle(lease, done)).toBe("ended");
      expect(await stateOf(store, "b")).toBe("pending");
      expect(await stateOf(store, "c")).toBe("0 before it, by a");
      const next = await claim(store);
      expect(next.lease).toMatchObject({ id: urn("b"), attempt: 1 });
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      await store.settle(next.lease, done);
      await store.settle((await claim(store)).lease, done);
      expect(await stateOf(store, "c")).toBe("succeeded");
      expect(await submit(store, limited("d"), 15)).toHaveProperty("lease");
    });

    promise("tells whoever may claim the job that is let in", async () => {
      const { store } = await fresh();
      await submit(store, limited("a"), 15);
      await submit(store, limited("b"));
      const tools: unknown[] = [];
      const stop = store.ready((ready) => tools.push(ready));
      await store.cancel(urn("a"), "enough");
      await expect.poll(() => tools.length).toBeGreaterThan(0);
      stop();
      expect((await claim(store)).job.id).toBe(urn("b"));
    });

    promise("counts no job that waits outside of its process, and puts it into the line when it wakes", async () => {
      const { store, clock } = await fresh();
      await submit(store, limited("a"));
      await store.park((await claim(store)).lease, { waits: ["go"], delay: 60_000 });
      await submit(store, limited("b"));
      await submit(store, limited("c"));
      const b = await claim(store);
      expect(b.job.id).toBe(urn("b"));
      await store.send(urn("a"), { name: "go", body: "1" });
      expect(await stateOf(store, "a")).toBe("1 before it, by a");
      await store.settle(b.lease, done);
      const c = await claim(store);
      expect(c.job.id).toBe(urn("c"));
      await store.park(c.lease, { waits: [], delay: 1000 });
      const a = await claim(store);
      expect(a.lease).toMatchObject({ id: urn("a"), attempt: 1 });
      clock.advance(1000);
      await store.renew(a.lease, 600);
      await store.reap();
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      expect(await stateOf(store, "c")).toBe("0 before it, by a");
      await store.settle(a.lease, done);
      expect((await claim(store)).job.id).toBe(urn("c"));
    });

    promise("takes a job that wakes into the line with the next claim, and tells whoever may claim it", async () => {
      const { store, clock } = await fresh();
      await submit(store, limited("a"));
      await store.park((await claim(store)).lease, { waits: [], delay: 1000 });
      await submit(store, limited("b"));
      await store.park((await claim(store)).lease, { waits: ["go"], delay: 2000 });
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      clock.advance(1000);
      const a = await claim(store);
      expect(a.lease).toMatchObject({ id: urn("a"), attempt: 1 });
      clock.advance(1000);
      const tools: unknown[] = [];
      const stop = store.ready((ready) => tools.push(ready));
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      expect(await stateOf(store, "b")).toBe("0 before it, by a");
      await store.settle(a.lease, done);
      await expect.poll(() => tools).toContainEqual(["one"]);
      stop();
      expect((await claim(store)).job.id).toBe(urn("b"));
    });

    promise("gets the place of a lost job back, and that job is the next one", async () => {
      const { store, clock } = await fresh();
      await submit(store, limited("a", {}, { maxAttempts: 2 }));
      const { lease } = await claim(store);
      await submit(store, limited("b"));
      clock.advance(15_000);
      await store.reap();
      expect(await store.settle(lease, done)).toBe("stale");
      expect((await claim(store)).lease).toMatchObject({ id: urn("a"), attempt: 2 });
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      clock.advance(15_000);
      await store.reap();
      expect(await stateOf(store, "a")).toBe("error");
      const next = await claim(store);
      expect(next.job.id).toBe(urn("b"));
      // Given back without an end, it keeps its place.
      await submit(store, limited("c"));
      await store.release(next.lease, 0);
      expect((await claim(store)).job.id).toBe(urn("b"));
      if (!hasDeadLetters(store)) return;
      expect(await store.redrive(urn("a"))).toBe("ok");
      expect(await stateOf(store, "a")).toBe("1 before it, by a");
    });

    promise("lets a lost job be the next one, also one that has waited for its turn", async () => {
      const { store, clock } = await fresh();
      for (const name of ["a", "b", "c", "d"]) await submit(store, limited(name));
      await store.settle((await claim(store)).lease, done);
      expect((await claim(store)).job.id).toBe(urn("b"));
      clock.advance(15_000);
      await store.reap();
      const again = await claim(store);
      expect(again.job.id).toBe(urn("b"));
      if (hasDeadLetters(store)) await store.lose(again.lease, "gone");
      else await store.release(again.lease, 0);
      const order: string[] = [];
      for (let next = await store.claim({ seconds: 15 }); next !== undefined;) {
        order.push(next.job.id.slice(urn("").length));
        await store.settle(next.lease, done);
        next = await store.claim({ seconds: 15 });
      }
      expect(order).toEqual(["b", "c", "d"]);
    });

    promise("goes on behind cancelled ones, those that wait too", async () => {
      const { store } = await fresh();
      for (const name of ["a", "b", "c", "d"]) await submit(store, limited(name));
      await store.cancel(urn("b"), "enough");
      await store.cancel(urn("a"), "enough");
      expect(await stateOf(store, "d")).toBe("0 before it, by a");
      const c = await claim(store);
      expect(c.job.id).toBe(urn("c"));
      await store.cancel(urn("c"), "enough");
      expect((await claim(store)).job.id).toBe(urn("d"));
      expect(await store.settle(c.lease, done)).toBe("ended");
    });

    promise("that grows lets more in with the next call; that shrinks lets nobody in until it fits", async () => {
      const { store } = await fresh();
      await submit(store, limited("a"));
      await submit(store, limited("b"));
      const a = await claim(store);
      expect(await submit(store, limited("c", { jobs: 2 }))).toMatchObject({ waiting: { line: { ahead: 0 } } });
      const b = await claim(store);
      expect([a.job.id, b.job.id]).toEqual([urn("a"), urn("b")]);
      await submit(store, limited("d", { jobs: 1 }));
      await store.settle(a.lease, done);
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      await store.settle(b.lease, done);
      expect((await claim(store)).job.id).toBe(urn("c"));
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
    });

    promise("that refuses stores nothing of the job, and says when to come again", async () => {
      const { store } = await fresh();
      const first = await submit(store, limited("a", { beyond: "refuse" }), 15);
      const lease = first.kind === "created" ? first.lease : undefined;
      if (lease === undefined) throw new Error("the job has no lease");
      const refused = (async () => submit(store, limited("b", { beyond: "refuse" }), 15))();
      await expect(refused).rejects.toMatchObject({ kind: "too-many-requests", retryAfter: 3 });
      expect(await store.get(urn("b"))).toBeUndefined();
      expect(await submit(store, limited("a", { beyond: "refuse" }))).toMatchObject({ kind: "existing" });
      await store.settle(lease, done);
      expect(await submit(store, limited("b", { beyond: "refuse" }), 15)).toHaveProperty("lease");
    });

    promise("that refuses forgets the idempotency key too", async () => {
      const { store } = await fresh();
      const job = (name: string, more: Partial<NewJob> = {}): NewJob => limited(name, { beyond: "refuse" }, more);
      const idempotency = { key: "k", digest: "1" };
      const first = await submit(store, job("a"), 15);
      await expect(submit(store, job("b", { idempotency }), 15)).rejects.toMatchObject({ kind: "too-many-requests" });
      if (first.kind === "created" && first.lease !== undefined) await store.settle(first.lease, done);
      // Another job has the id by now, and no key.
      expect(await submit(store, job("b"))).toMatchObject({ kind: "created" });
      await store.cancel(urn("b"), "enough");
      expect(await submit(store, job("c", { idempotency }), 15)).toHaveProperty("lease");
    });

    promise("that replaces cancels the oldest one", async () => {
      const { store } = await fresh();
      const job = (name: string): NewJob => limited(name, { beyond: "replace", jobs: 2 });
      await submit(store, job("a"), 15);
      await submit(store, job("b"));
      expect(await submit(store, job("c"), 15)).toHaveProperty("lease");
      expect(await stateOf(store, "a")).toBe("cancelled");
      expect(await submit(store, job("d"), 15)).toHaveProperty("lease");
      expect([await stateOf(store, "b"), await stateOf(store, "c")]).toEqual(["cancelled", "executing"]);
    });

    promise("stands in nobody's way: whoever is let in stands behind those that came before that", async () => {
      const { store } = await fresh();
      for (let n = 0; n < 30; n++) await submit(store, limited(`a${n}`));
      await submit(store, limited("b", { key: 'one request.a "y"' }));
      const first = await claim(store);
      expect(first.job.id).toBe(urn("a0"));
      await store.settle(first.lease, done);
      expect((await claim(store)).job.id).toBe(urn("b"));
      expect((await claim(store)).job.id).toBe(urn("a1"));
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
    });

    promise(
      "is passed by nobody who comes later, after a long queue too: an admitted job, and one that wakes",
      async () => {
        const { store } = await fresh();
        const next = async (): Promise<string> => {
          const { lease } = await claim(store);
          await store.settle(lease, done);
          return lease.id.slice(urn("").length);
        };
        await submit(store, limited("away", { key: "away" }));
        await store.park((await claim(store)).lease, { waits: ["go"] });
        await submit(store, limited("runs", { key: "away" }));
        const { lease } = await claim(store);
        for (let n = 0; n < 10; n++) await submit(store, limited(`a${n}`));
        for (let n = 0; n < 8; n++) expect(await next()).toBe(`a${n}`);
        await store.send(urn("away"), { name: "go", body: "1" });
        for (let n = 0; n < 3; n++) await submit(store, limited(`b${n}`, { key: `b${n}` }));
        for (let n = 0; n < 3; n++) await submit(store, limited(`c${n}`, { key: "away" }));
        await submit(store, { id: urn("plain"), tool: "two", input: 1, ttl: 60, maxAttempts: 1 });
        expect(await stateOf(store, "away")).toBe("0 before it, by away");
        for (const name of ["a8", "b0", "b1", "b2", "plain", "a9"]) expect(await next()).toBe(name);
        await store.settle(lease, done);
        for (const name of ["away", "c0", "c1", "c2"]) expect(await next()).toBe(name);
      },
    );

    promise("that replaces leaves the last ones of many that come at once", async () => {
      for (const [jobs, many] of [
        [1, 10],
        [1, 50],
        [3, 50],
      ] as const) {
        const { store } = await fresh();
        const names = Array.from({ length: many }, (_, n) => `n${n}`);
        await submit(store, limited("old", { beyond: "replace", jobs }), 15);
        const answers = await Promise.all(
          names.map((name, n) =>
            submit(store, limited(name, { beyond: "replace", jobs }), n % 2 === 0 ? 15 : undefined),
          ),
        );
        expect(answers.every(({ kind }) => kind === "created")).toBe(true);
        const states = await Promise.all(["old", ...names].map((name) => stateOf(store, name)));
        const last = names.slice(-jobs).map((_, n) => ((many - jobs + n) % 2 === 0 ? "executing" : "pending"));
        expect(states).toEqual([...Array<string>(many + 1 - jobs).fill("cancelled"), ...last]);
      }
    });

    promise("that replaces takes a job that has come back for the newest one", async () => {
      const { store } = await fresh();
      const job = (name: string): NewJob => limited(name, { beyond: "replace", jobs: 2 });
      await submit(store, job("a"));
      await store.park((await claim(store)).lease, { waits: ["go"] });
      for (const name of ["b", "c"]) await submit(store, job(name));
      await store.send(urn("a"), { name: "go", body: "1" });
      await submit(store, job("d"));
      const states = await Promise.all(["a", "b", "c", "d"].map((name) => stateOf(store, name)));
      expect(states).toEqual(["pending", "cancelled", "cancelled", "pending"]);
    });

    promise("tells which jobs wait for it: by tool, and the longest lines first", async () => {
      const { store, clock } = await fresh();
      await submit(store, limited("a"));
      await submit(store, limited("b"));
      const key = 'one request.a "y"';
      // Their process asks for a lease, which those beyond the limit do not get.
      for (const name of ["x", "y", "z"]) await submit(store, limited(name, { key }), 15);
      clock.advance(2000);
      const held = await store.heldJobs?.(1);
      // The memory has the system's clock for this.
      const oldestHeld = store.isEmpty === undefined ? 2 : (expect.any(Number) as number);
      expect(held?.tools).toMatchObject([{ tool: "one", held: 3, oldestHeld }]);
      expect(held?.keys).toMatchObject([{ tool: "one", key, held: 2, oldestHeld }]);
      expect((await store.heldJobs?.(0))?.keys).toEqual([]);
      expect(await store.counts()).toMatchObject([{ tool: "one", waiting: 1, running: 1 }]);
    });

    promise("tells the jobs of a key that wait and those that have begun, also of one owner alone", async () => {
      const { store } = await fresh();
      const ids = async (which: KeyQuery["which"], more: Partial<KeyQuery> = {}): Promise<readonly unknown[]> => {
        const query = { key: 'one request.a "x"', which, most: 9, ...more };
        return ((await store.jobsOfKey?.(query)) ?? []).map(({ id, owner }) => [id.slice(17), owner]).toSorted();
      };
      await submit(store, limited("a", {}, { owner: "anna" }));
      await store.park((await claim(store)).lease, { waits: ["go"] });
      for (const name of ["b", "c"]) await submit(store, limited(name));
      await submit(store, limited("d", {}, { owner: "anna" }));
      await submit(store, limited("other", { key: 'one request.a "xx"' }));
      expect(await ids("begun")).toEqual([
        ["a", "anna"],
        ["b", undefined],
      ]);
      expect(await ids("held")).toEqual([
        ["c", undefined],
        ["d", "anna"],
      ]);
      expect(await ids("held", { most: 1 })).toHaveLength(1);
      expect(await ids("held", { of: { owner: "anna" } })).toEqual([["d", "anna"]]);
      expect(await ids("held", { of: { owner: undefined } })).toEqual([["c", undefined]]);
      expect(await ids("held", { key: "none" })).toEqual([]);
      for (const name of ["a", "b", "c", "d"]) await store.cancel(urn(name), "enough");
      expect([await ids("held"), await ids("begun")]).toEqual([[], []]);
    });

    promise("takes any text as a key", async () => {
      const { store } = await fresh();
      const keys = ["__proto__", "constructor", "a'b\"c\\", "ü\u{1f600}", "x".repeat(300)];
      for (const [n, key] of keys.entries()) {
        expect(await submit(store, limited(`a${n}`, { key }), 15)).toHaveProperty("lease");
        expect(await submit(store, limited(`b${n}`, { key }), 15)).toHaveProperty("waiting");
      }
      for (const n of keys.keys()) await store.cancel(urn(`a${n}`), "enough");
      const claims = await Promise.all(keys.map(() => store.claim({ seconds: 15 })));
      expect(claims.map((one) => one?.job.id).toSorted()).toEqual(keys.map((_, n) => urn(`b${n}`)));
    });
  });
}
