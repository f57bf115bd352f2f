import { afterEach, describe, expect, test, vi } from "vitest";
import type { Claim, NewJob } from "../../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import type { JobLimit } from "../../../../../../runtime/job/limits/job-limit.ts";
import { given, newJob, urn } from "../conformance.ts";

type Store = ReturnType<typeof createMemoryStore>;

const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;
const debounce = { wait: 5000 };

/** A store whose clock counts how often it is read: a queue or a job that is looked at reads it. */
function open(): { readonly store: Store; readonly clock: { now: number; reads: number } } {
  const clock = { now: 1000, reads: 0 };
  const now = (): number => {
    clock.reads++;
    return clock.now;
  };
  return { store: createMemoryStore({ now }), clock };
}

function limited(name: string, limit: Partial<JobLimit>, more: Partial<NewJob> = {}): NewJob {
  return newJob(name, { limit: { key: `one request.a ${name}`, retryAfter: 1, ...limit }, ...more });
}

async function claim(store: Store): Promise<Claim> {
  return given(await store.claim({ seconds: 600 }));
}

/** Number of jobs that a worker may claim. */
async function ready(store: Store): Promise<number> {
  return (await store.counts())[0]?.waiting ?? 0;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the work of a memory store does not grow with the number", () => {
  const many = 1000;

  test("of keys that wait for a time: only those that are due are looked at", async () => {
    const { store, clock } = open();
    const rate = { pace: 3_600_000, burst: 1, text: "1/h" };
    for (let n = 0; n < many; n++) {
      await store.submit(limited(`debounced ${n}`, { debounce: { wait: 3_600_000 } }));
      await store.submit(limited(`a${n}`, { key: `rated ${n}`, rate }), 600);
      await store.submit(limited(`b${n}`, { key: `rated ${n}`, rate }));
    }
    await store.submit(limited("soon", { debounce }));
    clock.now += 5000;
    clock.reads = 0;
    expect((await claim(store)).job.id).toBe(urn("soon"));
    expect(clock.reads).toBeLessThan(50);
  });

  test("of callers with a debounced job of one key", async () => {
    const { store, clock } = open();
    const submit = (owner: string, name: string): unknown =>
      store.submit(limited(name, { key: "one", debounce }, { owner }));
    for (let n = 0; n < many; n++) await submit(`caller ${n}`, `a${n}`);
    clock.now += 1000;
    clock.reads = 0;
    expect(await submit("another", "b")).toMatchObject({ kind: "created", waiting: { line: { ahead: many } } });
    expect(await submit("caller 7", "c")).toMatchObject({ kind: "existing", record: { id: urn("a7") } });
    expect(clock.reads).toBeLessThan(100);
  });

  test("of jobs that wait for a limit: a search for another one does not pass them", async () => {
    const { store } = open();
    const limit = { key: "one", jobs: 1 };
    await store.submit(limited("first", limit));
    await claim(store);
    for (let n = 0; n < many; n++) {
      await store.submit(limited(`a${n}`, limit));
      await store.submit(limited(`b${n}`, { key: "debounced", debounce }, { owner: `caller ${n}` }));
    }
    const other = newJob("other");
    await store.submit(other);
    // Each job that is looked at is asked for its tool.
    const tools = [other.tool];
    const asked = vi.spyOn(tools, "includes");
    expect(given(await store.claim({ seconds: 600, tools })).job.id).toBe(urn("other"));
    expect(asked.mock.calls.length).toBeLessThan(10);
  });

  test("of parked jobs", async () => {
    const { store, clock } = open();
    for (let n = 0; n < many; n++) {
      await store.submit(limited(`a${n}`, { jobs: 1 }));
      await store.park((await claim(store)).lease, { waits: ["go"] });
    }
    await store.submit(limited("b", { jobs: 1 }));
    clock.reads = 0;
    await store.settle((await claim(store)).lease, done);
    await store.send(urn("a7"), { name: "go", body: "1" });
    expect((await claim(store)).job.id).toBe(urn("a7"));
    expect(clock.reads).toBeLessThan(50);
  });

  test.each([
    ["wait for a limit", { key: "one", jobs: 1, retryAfter: 1 }],
    ["wait for a worker", undefined],
  ])("of jobs with head starts that %s", async (_, limit) => {
    const { store } = open();
    const submit = (name: string, headStart: number): unknown =>
      store.submit(newJob(name, { headStart, ...(limit !== undefined && { limit }) }));
    await submit("first", 0);
    const first = await claim(store);
    for (let n = 0; n < many; n++) await submit(`a${n}`, n % 2 === 0 ? 0 : 30_000);
    // Positions are looked up here.
    const lookups = vi.spyOn(WeakMap.prototype, "get");
    await submit("urgent", 60_000);
    await store.settle(first.lease, done);
    const urgent = await claim(store);
    expect(lookups.mock.calls.length).toBeLessThan(50);
    expect(urgent.job.id).toBe(urn("urgent"));
    await store.settle(urgent.lease, done);
    expect((await claim(store)).job.id).toBe(urn("a1"));
  });
});

describe("jobs of a memory store that are due together", () => {
  const many = 1000;

  test.each([
    ["of many keys", (n: number) => limited(`a${n}`, { debounce })],
    ["of one key", (n: number) => limited(`a${n}`, { key: "one", debounce }, { owner: `caller ${n}` })],
  ])("are admitted in portions, between which the event loop has a turn: %s", async (_, job) => {
    const { store, clock } = open();
    for (let n = 0; n < many; n++) await store.submit(job(n));
    // Loads the module that counts, since the event loop has many turns meanwhile.
    await ready(store);
    const listener = vi.fn<() => void>();
    const stop = store.ready(listener);
    clock.now += 5000;
    await store.reap();
    const portion = await ready(store);
    expect(portion).toBeGreaterThan(0);
    expect(portion).toBeLessThan(many / 2);
    // A worker that claims and ends jobs all the time does not cause a longer turn.
    let [claimed, turns] = [0, 0];
    while (claimed < many) {
      const before = claimed;
      for (let next = await store.claim({ seconds: 600 }); next !== undefined;) {
        claimed++;
        await store.settle(next.lease, done);
        next = await store.claim({ seconds: 600 });
      }
      expect(claimed - before).toBeLessThanOrEqual(portion);
      turns++;
      expect(turns).toBeLessThan(1000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    stop();
    expect(listener.mock.calls.length).toBeLessThan(20);
    expect(await store.counts()).toEqual([]);
  });
});

test("a parked job with a limit waits for its turn, also if it is claimed at once when its message comes", async () => {
  const { store } = open();
  await store.submit(limited("a", { key: "one", jobs: 1 }));
  await store.park((await claim(store)).lease, { waits: ["go"] });
  await store.submit(limited("b", { key: "one", jobs: 1 }));
  const { lease } = await claim(store);
  const claims: unknown[] = [];
  const stop = store.ready(() => claims.push(store.claim({ seconds: 600 })));
  await store.send(urn("a"), { name: "go", body: "1" });
  expect(claims).toEqual([undefined]);
  await store.settle(lease, done);
  stop();
  expect(claims[1]).toMatchObject({ job: { id: urn("a") } });
});

test("a queue without jobs is kept until its bucket is full, and no longer", async () => {
  const { store, clock } = open();
  const rate = { pace: 1000, burst: 1, text: "1/s" };
  const again = async (name: string): Promise<unknown> => store.submit(limited(name, { key: "one", rate }), 600);
  const ends = async (answer: unknown): Promise<void> =>
    void (await store.settle((answer as { readonly lease: Claim["lease"] }).lease, done));
  await ends(await again("a"));
  clock.now += 999;
  await store.reap();
  expect(await again("b")).toHaveProperty("waiting");
  clock.now += 1;
  await ends(await claim(store));
  clock.now += 1000;
  await store.reap();
  clock.reads = 0;
  await store.reap();
  expect(clock.reads).toBeLessThan(10);
  await ends(await again("c"));
});
