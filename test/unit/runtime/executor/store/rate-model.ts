import type { JobLimit } from "../../../../../runtime/job/limits/job-limit.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { Claim, JobStore, WriteAnswer } from "../../../../../runtime/executor/store/job-store.ts";
import { randomFrom } from "./random-from.ts";
import type { VirtualClock } from "./store-model.ts";

export interface RateModel {
  /** A store for each replica, all of one place. */
  readonly stores: readonly JobStore[];
  readonly clock: VirtualClock;
  readonly jobs: number;
  readonly seed: number;
}

/** The keys of the model, the hostile ones first. */
const keys = [
  "__proto__",
  "ü\u{1f600}\\'\"",
  "x".repeat(250),
  ...Array.from({ length: 9 }, (_, n) => `tool request.a ${n}`),
];
const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;
/** Milliseconds of one turn of the clock. */
const turn = 50;

/** The limit of a key: 1 to 3 starts at once, one each 100 to 333 ms, a third of the keys with 2 at a time as well. */
function limitOf(key: string): JobLimit & { readonly rate: NonNullable<JobLimit["rate"]> } {
  const n = keys.indexOf(key);
  const rate = { pace: 1000 / ((n % 8) + 3), burst: (n % 3) + 1, text: "" };
  return { key, rate, ...(n % 3 === 0 && { jobs: 2 }), retryAfter: 1 };
}

/**
 * Runs jobs of 12 keys on several replicas under a clock that goes in turns, with results, cancellations, lost leases
 * and jobs that are given back. Returns what was wrong: more starts of a key in any time than its bucket has, or more
 * jobs than run at a time, or keys whose jobs did not start though their time had come; empty when all is well.
 */
export async function checkRates({ stores, clock, jobs, seed }: RateModel): Promise<readonly string[]> {
  const next = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const starts = new Map<string, number[]>(keys.map((key) => [key, []]));
  const running = new Map<string, Set<JobUrn>>(keys.map((key) => [key, new Set()]));
  const limits = new Map<JobUrn, JobLimit>();
  const open = new Set<JobUrn>();
  /** Jobs whose submission was answered. Another replica may not know the others yet, so that it cannot cancel them. */
  const stored = new Set<JobUrn>();
  const wrong: string[] = [];
  let submitted = 0;

  const isOver = (): boolean => submitted >= jobs && open.size === 0;
  const begin = (id: JobUrn): void => {
    const { key = "", jobs: most = Infinity } = limits.get(id) ?? {};
    starts.get(key)?.push(clock.now());
    const here = running.get(key)?.add(id);
    if ((here?.size ?? 0) > most) wrong.push(`${here?.size} of ${key.slice(0, 20)} at a time`);
  };
  const end = (id: JobUrn): void => void running.get(limits.get(id)?.key ?? "")?.delete(id);

  /** Fails for a write without effect: the model would forget a job that the store still has. */
  const takes = (answer: WriteAnswer, id: JobUrn): void => {
    if (answer !== "ok") throw new Error(`A write about ${id} had no effect: ${answer}`);
  };

  const finish = async (store: JobStore, { lease }: Pick<Claim, "lease">): Promise<void> => {
    for (let turns = Math.floor(next() * 3); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    end(lease.id);
    const how = next();
    if (how < 0.7) takes(await store.settle(lease, done), lease.id);
    else if (how < 0.8) takes(await store.cancel(lease.id, "enough"), lease.id);
    // It starts again, and that counts.
    else return takes(await store.release(lease, how < 0.9 ? 0.1 : 1), lease.id);
    open.delete(lease.id);
  };

  const submit = async (store: JobStore): Promise<void> => {
    const key = pick(keys);
    const id: JobUrn = `urn:platform:job:model-${submitted++}`;
    const limit = limitOf(key);
    limits.set(id, limit);
    open.add(id);
    const seconds = next() < 0.3 ? 600 : undefined;
    const answer = await store.submit({ id, tool: "one", input: 1, ttl: 600, maxAttempts: 2, limit }, seconds);
    if (answer.kind !== "created") throw new Error(`The job was not stored: ${answer.kind}`);
    stored.add(id);
    if (answer.lease === undefined) return;
    begin(id);
    await finish(store, { lease: answer.lease });
  };

  const work = async (store: JobStore): Promise<void> => {
    for (;;) {
      const claim = await store.claim({ seconds: 600, tools: ["one"] });
      if (claim === undefined) return;
      begin(claim.job.id);
      await finish(pick(stores), claim);
    }
  };

  for (let quiet = 0; !isOver();) {
    const before = open.size;
    const some = Array.from({ length: Math.min(8, jobs - submitted) }, () => submit(pick(stores)));
    const victim = pick([...open].filter((id) => stored.has(id)));
    if (next() < 0.3 && victim !== undefined) {
      takes(await pick(stores).cancel(victim, "enough"), victim);
      open.delete(victim);
    }
    await Promise.all([...some, ...stores.map(work)]);
    await pick(stores).reap();
    await Promise.all(stores.map(work));
    clock.advance(turn);
    quiet = open.size === before && submitted >= jobs ? quiet + 1 : 0;
    if (quiet > 200) return [...wrong, `seed ${seed}: ${open.size} jobs stand still`];
  }
  for (const [key, times] of starts) wrong.push(...tooMany(key, times));
  return wrong;
}

/** The times in which more jobs of a key started than its bucket has. */
function tooMany(key: string, times: readonly number[]): readonly string[] {
  const { pace, burst } = limitOf(key).rate;
  return times.flatMap((to, last) => {
    return times.slice(0, last).flatMap((from, first) => {
      const most = burst + Math.floor((to - from) / pace + 1e-6);
      const count = last - first + 1;
      return count > most ? [`${count} of ${key.slice(0, 20)} in ${to - from} ms, not ${most}`] : [];
    });
  });
}
