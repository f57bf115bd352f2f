import { afterAll, describe, expect, test } from "vitest";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { JobStore, Lease } from "../../../../../runtime/executor/store/job-store.ts";
import { openSqliteStore } from "../../../../../runtime/executor/store/sqlite/sqlite.ts";
import { sqlitePlace } from "./sqlite-place.ts";
import { checkModel, modelFailure } from "./store-model.ts";

/** Everything of a store, with some verbs replaced. */
function altered(store: JobStore, verbs: Partial<JobStore>): JobStore {
  return {
    submit: (job, leaseSeconds) => store.submit(job, leaseSeconds),
    claim: (options) => store.claim(options),
    renew: (lease, seconds) => store.renew(lease, seconds),
    progress: (lease, events) => store.progress(lease, events),
    settle: (lease, outcome) => store.settle(lease, outcome),
    release: (lease, delay) => store.release(lease, delay),
    keep: (lease, steps) => store.keep(lease, steps),
    park: (lease, parking) => store.park(lease, parking),
    send: (id, message) => store.send(id, message),
    fork: (id, as, keys) => store.fork(id, as, keys),
    recall: (id) => store.recall(id),
    ask: (lease, talk) => store.ask(lease, talk),
    answer: (id, replies) => store.answer(id, replies),
    cancel: (id, reason) => store.cancel(id, reason),
    get: (id) => store.get(id),
    reap: () => store.reap(),
    watch: (id, listener) => store.watch(id, listener),
    ready: (listener) => store.ready(listener),
    close: () => store.close(),
    ...verbs,
  };
}

/** Whoever writes is taken for the holder of the job: what a queue does that looks at the job's id only. */
function unfenced(store: JobStore, verbs: readonly ("renew" | "progress" | "settle" | "release")[]): JobStore {
  const latest = new Map<JobUrn, Lease>();
  const any = (lease: Lease): Lease => latest.get(lease.id) ?? lease;
  const open: Partial<JobStore> = {
    renew: (lease, seconds) => store.renew(any(lease), seconds),
    progress: (lease, events) => store.progress(any(lease), events),
    settle: (lease, outcome) => store.settle(any(lease), outcome),
    release: (lease, delay) => store.release(any(lease), delay),
  };
  return altered(store, {
    ...Object.fromEntries(verbs.map((verb) => [verb, open[verb]])),
    submit: async (job, leaseSeconds) => {
      const answer = await store.submit(job, leaseSeconds);
      if (answer.kind === "created" && answer.lease !== undefined) latest.set(job.id, answer.lease);
      return answer;
    },
    claim: async (options) => {
      const claim = await store.claim(options);
      if (claim !== undefined) latest.set(claim.lease.id, claim.lease);
      return claim;
    },
  });
}

/** Stores with one fault each. A suite that stays green on one of them proves nothing about the others. */
const faults: Readonly<Record<string, (store: JobStore) => JobStore>> = {
  "no fence at all": (store) => unfenced(store, ["renew", "progress", "settle", "release"]),
  "no fence on renew": (store) => unfenced(store, ["renew"]),
  "no fence on progress": (store) => unfenced(store, ["progress"]),
  "no fence on settle": (store) => unfenced(store, ["settle"]),
  "no fence on release": (store) => unfenced(store, ["release"]),
  "one attempt too many": (store) =>
    altered(store, {
      submit: (job, leaseSeconds) => store.submit({ ...job, maxAttempts: job.maxAttempts + 1 }, leaseSeconds),
      claim: async (options) => {
        const claim = await store.claim(options);
        return claim && { ...claim, job: { ...claim.job, maxAttempts: claim.job.maxAttempts - 1 } };
      },
    }),
  "cancel without effect": (store) =>
    altered(store, {
      cancel: async (id) => {
        const record = await store.get(id);
        return record === undefined ? "unknown" : record.outcome === undefined ? "ok" : "ended";
      },
    }),
  "settle that forgets now and then": (store) => {
    let count = 0;
    return altered(store, { settle: (lease, outcome) => (++count % 5 === 0 ? "ok" : store.settle(lease, outcome)) });
  },
  "events counted twice": (store) => {
    let sequence = 0;
    return altered(store, {
      progress: (lease, events) =>
        store.progress(
          lease,
          events.map((event) => ({ ...event, sequence: ++sequence })),
        ),
    });
  },
  "a lease that does not hold the job": (store) =>
    altered(store, {
      submit: async (job, leaseSeconds) => {
        const answer = await store.submit(job);
        if (answer.kind !== "created" || leaseSeconds === undefined) return answer;
        return { ...answer, lease: { id: job.id, attempt: 1, token: "a token that nobody gave" } };
      },
    }),
  "events numbered from 1 again": (store) =>
    altered(store, {
      claim: async (options) => {
        const claim = await store.claim(options);
        return claim && { ...claim, lastSequence: 0 };
      },
    }),
  "delay ignored": (store) => altered(store, { release: (lease) => store.release(lease, 0) }),
  "reap without effect": (store) => altered(store, { reap: () => undefined }),
};

describe("the model finds a store that breaks a promise", () => {
  const place = sqlitePlace();
  afterAll(() => place.remove());
  let files = 0;

  const check = async (fault: (store: JobStore) => JobStore): Promise<string | undefined> => {
    const details = await checkModel({
      // The best hidden of them is found by the ninth.
      runs: 60,
      shrink: false,
      open: async (now) => {
        const store = openSqliteStore(`${place.folder}/${files++}.db`, { now });
        return { store: fault(store), restart: undefined, close: async () => store.close() };
      },
    });
    return modelFailure(details);
  };

  test.for(Object.entries(faults))("%s", async ([, fault]) => {
    const failure = await check(fault);
    expect(failure).toMatch(/^Property failed after \d+ tests\n\{ seed: -?\d+, /);
    // A wrong answer or record, not a crash of the wrapper.
    expect(failure).toMatch(/AssertionError: /);
  });

  test("and passes the same store without the fault", async () => {
    expect(await check((store) => altered(store, {}))).toBeUndefined();
  });
});
