import { describe, expect } from "vitest";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { Claim, JobStore, NewJob } from "../../../../../runtime/executor/store/job-store.ts";
import type { VirtualClock } from "./store-model.ts";

interface Opened {
  readonly store: JobStore;
  readonly clock: VirtualClock;
}

const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;

function urn(name: string): JobUrn {
  return `urn:platform:job:${name}`;
}

function nameOf({ lease }: Pick<Claim, "lease">): string {
  return lease.id.slice(urn("").length);
}

/** A job of a tool with `@priority`. */
function ahead(name: string, headStart: number, more: Partial<NewJob> = {}): NewJob {
  return { id: urn(name), tool: "one", input: 1, ttl: 60, maxAttempts: 3, headStart, ...more };
}

const limit = { key: 'one request.a "x"', jobs: 1, retryAfter: 3 };

/** Promises of a head start: a job stands in each queue as if it had come earlier. */
export function describeHeadStarts(
  fresh: () => Promise<Opened>,
  promise: (title: string, body: () => Promise<void>) => void,
): void {
  /** Claims all jobs, one after the other; each ends before the next claim. */
  const runAll = async ({ store }: Opened, tools?: readonly string[]): Promise<readonly string[]> => {
    const names: string[] = [];
    for (;;) {
      const claim = await store.claim({ seconds: 600, ...(tools !== undefined && { tools }) });
      if (claim === undefined) return names;
      names.push(nameOf(claim));
      await store.settle(claim.lease, done);
    }
  };
  /** Submits jobs, a second apart: the name and the seconds of the head start. */
  const come = async (
    { store, clock }: Opened,
    jobs: readonly (readonly [string, number])[],
    more: Partial<NewJob> = {},
  ): Promise<void> => {
    for (const [name, seconds] of jobs) {
      await store.submit(ahead(name, seconds * 1000, more));
      clock.advance(1000);
    }
  };
  const claim = async ({ store }: Opened, id?: string): Promise<Claim> => {
    const claimed = await store.claim({ seconds: 600, ...(id !== undefined && { id: urn(id) }) });
    if (claimed === undefined) throw new Error("the store gave no claim");
    return claimed;
  };

  describe("a head start", () => {
    promise("passes jobs that came at most so long before, and no others", async () => {
      const here = await fresh();
      await come(here, [
        ["a", 0],
        ["b", 0],
        ["c", 0],
        ["d", 1.5],
        ["e", 0],
        ["f", 4.5],
      ]);
      expect(await runAll(here)).toEqual(["a", "f", "b", "d", "c", "e"]);
    });

    promise("keeps the order of jobs with the same one, also of many in a moment", async () => {
      const here = await fresh();
      const names = Array.from({ length: 30 }, (_, n) => `job-${String(n).padStart(2, "0")}`);
      for (const [n, name] of names.entries()) await here.store.submit(ahead(name, n % 2 === 0 ? 5000 : 0));
      const [even, odd] = [0, 1].map((rest) => names.filter((_, n) => n % 2 === rest));
      expect(await runAll(here)).toEqual([...(even ?? []), ...(odd ?? [])]);
    });

    promise("is of its own tool: others start in the order of their arrival", async () => {
      const here = await fresh();
      await here.store.submit({ id: urn("other"), tool: "two", input: 1, ttl: 60, maxAttempts: 3 });
      await come(here, [
        ["a", 0],
        ["b", 60],
      ]);
      await here.store.submit({ id: urn("last"), tool: "two", input: 1, ttl: 60, maxAttempts: 3 });
      expect(await runAll(here, ["two", "one"])).toEqual(["other", "b", "a", "last"]);
    });

    promise("is taken by several workers at once in the same order", async () => {
      const here = await fresh();
      await come(here, [
        ["a", 0],
        ["b", 0],
        ["c", 60],
        ["d", 0],
        ["e", 60],
      ]);
      const two = async (): Promise<readonly string[]> => {
        const options = { seconds: 600, tools: ["one"] };
        const claims = await Promise.all([here.store.claim(options), here.store.claim(options)]);
        return claims.flatMap((one) => (one === undefined ? [] : [nameOf(one)])).toSorted();
      };
      expect([await two(), await two(), await two()]).toEqual([["c", "e"], ["a", "b"], ["d"]]);
    });

    promise("counts in the queue of a key, and the number ahead is true", async () => {
      const here = await fresh();
      await come(here, [["runs", 0]], { limit });
      const answers = [];
      for (const [name, seconds] of [
        ["a", 0],
        ["b", 0],
        ["c", 1.5],
        ["d", 60],
        ["e", 60],
      ] as const) {
        answers.push(await here.store.submit(ahead(name, seconds * 1000, { limit })));
        here.clock.advance(1000);
      }
      expect(answers.map((answer) => "waiting" in answer && answer.waiting?.line?.ahead)).toEqual([0, 1, 1, 0, 1]);
      const places = await Promise.all(["a", "b", "c", "d", "e"].map((name) => here.store.get(urn(name))));
      expect(places.map((record) => record?.waiting?.line?.ahead)).toEqual([2, 4, 3, 0, 1]);
      expect(await runAll(here)).toEqual(["runs", "d", "e", "a", "c", "b"]);
    });

    promise("counts again when a job is let in, for the slots of its tool", async () => {
      const here = await fresh();
      await come(here, [["runs", 0]], { limit });
      await come(here, [["held", 60]], { limit });
      await come(here, [
        ["a", 0],
        ["b", 0],
      ]);
      const runs = await claim(here, "runs");
      await here.store.settle(runs.lease, done);
      expect(await runAll(here)).toEqual(["held", "a", "b"]);
    });

    promise("lets a job start that a rate holds back", async () => {
      const here = await fresh();
      const rate = { pace: 10_000, burst: 1, text: "6/min" };
      const rated = { limit: { key: limit.key, rate, retryAfter: 3 } };
      await come(
        here,
        [
          ["a", 0],
          ["b", 0],
          ["c", 30],
        ],
        rated,
      );
      const names: string[] = [];
      for (let n = 0; n < 3; n++) {
        await here.store.reap();
        names.push(...(await runAll(here)));
        here.clock.advance(10_000);
      }
      expect(names).toEqual(["a", "c", "b"]);
    });

    promise("stays when a job has lost its worker, and when it is given back", async () => {
      const here = await fresh();
      await come(here, [
        ["a", 0],
        ["b", 60],
      ]);
      const first = await claim(here);
      expect(nameOf(first)).toBe("b");
      await here.store.renew(first.lease, 1);
      here.clock.advance(2000);
      await here.store.reap();
      const again = await claim(here);
      expect(nameOf(again)).toBe("b");
      await here.store.release(again.lease, 0);
      expect(nameOf(await claim(here))).toBe("b");
    });

    promise("lets a lost job be the next one of its key, also before jobs with a head start", async () => {
      const here = await fresh();
      await come(
        here,
        [
          ["a", 0],
          ["b", 0],
          ["c", 0],
        ],
        { limit },
      );
      await here.store.settle((await claim(here)).lease, done);
      const lost = await claim(here);
      expect(nameOf(lost)).toBe("b");
      await come(here, [["urgent", 60]], { limit });
      await here.store.renew(lost.lease, 1);
      here.clock.advance(2000);
      await here.store.reap();
      expect(await runAll(here)).toEqual(["b", "urgent", "c"]);
    });

    promise("counts from the return of a job that has left its process", async () => {
      const here = await fresh();
      await come(here, [["away", 3]], { limit });
      const { lease } = await claim(here);
      await here.store.park(lease, { waits: [], delay: 10_000 });
      await come(here, [["runs", 0]], { limit });
      await claim(here, "runs");
      here.clock.advance(5000);
      // It comes back 2.5 seconds after the last of these.
      await come(
        here,
        [
          ["a", 0],
          ["b", 0],
          ["c", 0],
        ],
        { limit },
      );
      here.clock.advance(1500);
      await here.store.claim({ seconds: 600 });
      await here.store.reap();
      expect((await here.store.get(urn("away")))?.waiting?.line).toMatchObject({ ahead: 2 });
    });

    promise("is that of the last request of a debounced job, from its first one on", async () => {
      const here = await fresh();
      const debounced = { limit: { key: "one z", jobs: 1, debounce: { wait: 1000 }, retryAfter: 3 } };
      const other = (owner: string): Partial<NewJob> => ({ ...debounced, owner });
      await here.store.submit(ahead("a", 0, other("anna")));
      here.clock.advance(500);
      await here.store.submit(ahead("b", 0, other("bert")));
      here.clock.advance(100);
      expect(await here.store.submit(ahead("c", 60_000, other("bert")))).toMatchObject({ kind: "existing" });
      expect((await here.store.get(urn("a")))?.waiting?.line?.ahead).toBe(1);
      here.clock.advance(2000);
      await here.store.reap();
      expect(nameOf(await claim(here))).toBe("b");
    });

    promise("goes with a copy of a job that has ended", async () => {
      const here = await fresh();
      await come(here, [["old", 60]]);
      const { lease } = await claim(here);
      const step = { key: "s", state: "done", tries: 1, fingerprint: "none", value: "1" } as const;
      await here.store.keep(lease, [step]);
      await here.store.settle(lease, done);
      await come(here, [["a", 0]]);
      expect(await here.store.fork(urn("old"), urn("new"), ["s"])).toBe("ok");
      expect(await runAll(here)).toEqual(["new", "a"]);
    });

    promise("starves nobody: under a steady load each job waits for its length at most", async () => {
      const here = await fresh();
      await come(here, [["plain", 0]]);
      for (let n = 0; n < 12; n++) {
        await come(here, [[`urgent-${n}`, 5]]);
        const { lease } = await claim(here);
        await here.store.settle(lease, done);
        if (nameOf({ lease }) === "plain") {
          expect(n).toBe(4);
          return;
        }
      }
      throw new Error("the job never started");
    });
  });
}
