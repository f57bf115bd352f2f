import { expect } from "vitest";
import type { JobLimit } from "../../../../../runtime/job/limits/job-limit.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { DeadLetters } from "../../../../../runtime/executor/store/dead-letters.ts";
import type { Claim, JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { randomFrom } from "./random-from.ts";
import type { VirtualClock } from "./store-model.ts";

type ModelStore = JobStore & Pick<DeadLetters, "lose">;

export interface LimitModel {
  /** A store for each replica, all of one place. */
  readonly stores: readonly ModelStore[];
  readonly clock: VirtualClock;
  readonly jobs: number;
  readonly seed: number;
}

/** The keys of the model, the hostile ones first. */
const keys = [
  "__proto__",
  "ü\u{1f600}\\'\"",
  "x".repeat(250),
  ...Array.from({ length: 17 }, (_, n) => `tool request.a ${n}`),
];
const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;
const retryAfter = 1;

/** The number at a time of a key: 1, 2 or 3. */
function capOf(key: string): number {
  return (keys.indexOf(key) % 3) + 1;
}

/**
 * Runs jobs of 20 keys on several replicas, with ends of all kinds: results, cancellations, workers that are lost or
 * fall silent, jobs that are given back, leave for a while, or are debounced. Returns the moments at which more jobs of
 * a key ran than may; fails when they stand still, or when something is left behind.
 */
export async function checkLimits({ stores, clock, jobs, seed }: LimitModel): Promise<readonly string[]> {
  const next = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const running = new Map<string, Set<JobUrn>>(keys.map((key) => [key, new Set()]));
  const above: string[] = [];
  const limits = new Map<JobUrn, JobLimit>();
  const open = new Set<JobUrn>();
  /** Jobs whose last attempt may have ended them. */
  const lost = new Set<JobUrn>();
  /** Jobs that were cancelled, perhaps before this process saw that a worker has them: they do not run. */
  const cancelled = new Set<JobUrn>();
  let submitted = 0;

  const isOver = (): boolean => submitted >= jobs && open.size === 0;
  const begin = ({ job: { id } }: Pick<Claim, "job">): void => {
    if (cancelled.has(id)) return;
    const { key = "" } = limits.get(id) ?? {};
    const here = running.get(key);
    here?.add(id);
    if ((here?.size ?? 0) > capOf(key)) above.push(`${here?.size} of ${key.slice(0, 20)}`);
  };
  // Before the store knows of it: what is counted here has a place there.
  const end = (id: JobUrn): void => void running.get(limits.get(id)?.key ?? "")?.delete(id);

  const submit = async (store: ModelStore): Promise<void> => {
    const key = pick(keys);
    const id: JobUrn = `urn:platform:job:model-${submitted++}`;
    // Some jobs are debounced: they are delayed, or join one that is. Others of their key are not.
    const debounce = next() < 0.2 ? { debounce: { wait: 2000 } } : {};
    const limit = { key, jobs: capOf(key), retryAfter, ...debounce };
    limits.set(id, limit);
    open.add(id);
    const seconds = next() < 0.3 ? 600 : undefined;
    // A third of the jobs has a head start, a third has none, and a third is of a build that knows none.
    const more = pick([{}, { headStart: 0 }, { headStart: Math.floor(next() * 20_000) }]);
    const answer = await store.submit({ id, tool: "one", input: 1, ttl: 600, maxAttempts: 2, limit, ...more }, seconds);
    if (answer.kind === "existing" && answer.record.id !== id) {
      open.delete(id);
      return;
    }
    if (answer.kind !== "created") throw new Error(`The job was not stored: ${answer.kind}`);
    if (answer.lease === undefined) return;
    const job = { id } as Claim["job"];
    begin({ job });
    await finish(store, { lease: answer.lease, job, lastSequence: 0 });
  };

  const finish = async (store: ModelStore, claim: Claim): Promise<void> => {
    const { lease } = claim;
    for (let turns = Math.floor(next() * 4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    const how = next();
    end(lease.id);
    if (how > 0.95) {
      // Its lease has a second, and the next round takes it, perhaps before the answer is here.
      lost.add(lease.id);
      await store.renew(lease, 1);
      return;
    }
    if (how < 0.55) {
      await store.settle(lease, done);
      open.delete(lease.id);
    } else if (how < 0.7) {
      await store.cancel(lease.id, "enough");
      open.delete(lease.id);
    } else if (how < 0.8) {
      lost.add(lease.id);
      await store.lose(lease, "gone");
    } else if (how < 0.85) await store.release(lease, 0);
    else if (how < 0.9) await store.release(lease, 1);
    else await store.park(lease, { waits: ["go"], delay: 1000 });
  };

  const work = async (store: ModelStore): Promise<void> => {
    while (!isOver()) {
      const claim = await store.claim({ seconds: 600, tools: ["one"] });
      if (claim === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      begin(claim);
      await finish(pick(stores), claim);
    }
  };

  const submitAll = async (): Promise<void> => {
    for (let left = jobs; left > 0; left -= 20) {
      await Promise.all(Array.from({ length: 20 }, () => submit(pick(stores))));
      const one = pick([...open]);
      if (next() < 0.5 && one !== undefined) {
        cancelled.add(one);
        end(one);
        const answer = await pick(stores).cancel(one, "enough");
        if (answer !== "ok" && answer !== "ended") throw new Error(`The job was not cancelled: ${answer}`);
        open.delete(one);
      }
    }
  };

  /** Ends leases of workers that fell silent, and sees what has ended. */
  const watch = async (): Promise<void> => {
    for (let [left, since] = [jobs, performance.now()]; !isOver();) {
      clock.advance(1000);
      await pick(stores).reap();
      for (const id of lost) {
        const record = await pick(stores).get(id);
        // A job that waits is watched on: by now it may run again, and be lost for the last time.
        if (record?.outcome !== undefined) open.delete(id);
        if (!open.has(id)) lost.delete(id);
      }
      if (open.size !== left) [left, since] = [open.size, performance.now()];
      if (performance.now() - since > 60_000) throw new Error(`Seed ${seed}: ${open.size} jobs stand still.`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  await Promise.all([submitAll(), watch(), ...stores.map(work)]);
  // Nothing is left that would keep others waiting.
  for (const [index, key] of keys.entries()) {
    const limit = { key, jobs: 1, retryAfter };
    const id: JobUrn = `urn:platform:job:after-${index}`;
    const answer = await pick(stores).submit({ id, tool: "one", input: 1, ttl: 600, maxAttempts: 1, limit }, 600);
    expect(answer).toHaveProperty("lease");
  }
  return above;
}
