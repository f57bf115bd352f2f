import { beforeAll, beforeEach, expect, test } from "vitest";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { Every } from "../../../../../runtime/base/every.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import type { Job, JobUrn } from "../../../../../runtime/job/job.ts";
import type { JobStore, NewJob } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import type { Tool } from "../../../../../runtime/service/tools/tool.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

// Its rounds then begin with the first job, not some turns of the event loop later.
beforeAll(() => loadKept());

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "ERROR", write: (line) => lines.push(line) });
});

const id: JobUrn = "urn:platform:job:a";
const left: NewJob = { id, tool: "echo", input: { text: "x" }, ttl: 60, maxAttempts: 3 };

interface World {
  readonly store: JobStore;
  readonly executor: Executor;
  /** Lets seconds pass, as the process sees them when its timers are on time. */
  pass(seconds: number): Promise<void>;
  /** The clock goes on, and no timer fires. */
  skip(seconds: number): void;
}

/** An executor and its store on one clock that stands still until a test moves it. */
function worldOf(tool: Tool, wrap: (store: JobStore) => JobStore = (store) => store): World {
  let now = 0;
  const timers = new Set<{ readonly milliseconds: number; readonly callback: () => void; due: number }>();
  const every: Every = (milliseconds, callback) => {
    const timer = { milliseconds, callback, due: now + milliseconds };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  // As with a durable store: others may put jobs into it.
  const store = Object.defineProperty(wrap(createMemoryStore({ now: () => now })), "isEmpty", { value: undefined });
  return {
    store,
    executor: createExecutor({ tools: [tool], store, every }),
    skip: (seconds) => void (now += seconds * 1000),
    async pass(seconds) {
      const until = now + seconds * 1000;
      for (; now < until; now += 250) {
        for (const timer of timers) {
          if (timer.due > now + 250) continue;
          timer.due += timer.milliseconds;
          timer.callback();
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function endless(): Tool {
  return fakeTool(() => new Promise(() => {}));
}

test("leases of running jobs are renewed, however long they run and whatever stood still in between", async () => {
  const tool = endless();
  const { executor, store, pass, skip } = worldOf(tool);
  const job = executor.start({ tool, input: {}, id });
  await pass(60);
  skip(600);
  await pass(5);
  const record = await store.get(id);
  // Whoever loses the lease of such a job loses the job: it would be interrupted in the store.
  expect([job.state, record?.state, record?.attempt]).toEqual(["executing", "executing", 1]);
  job.cancel("end of test");
  await executor.drain(0);
});

test.each([
  ["at once where replicas share the store", true, 0],
  ["when its lease is renewed, in a store of one process", false, 5],
])("a job that another process cancels while it runs here ends %s", async (_, isShared, seconds) => {
  const tool = endless();
  const { executor, store, pass } = worldOf(tool, (inner) =>
    Object.defineProperty(inner, "isShared", { value: isShared }),
  );
  const job = executor.start({ tool, input: {}, id });
  await store.cancel(id, "elsewhere");
  await pass(0.25);
  await new Promise((resolve) => setImmediate(resolve));
  expect(job.outcome?.state).toBe(isShared ? "cancelled" : undefined);
  await pass(seconds);
  expect(await job.done).toMatchObject({ state: "cancelled", error: { message: "elsewhere" } });
  await executor.drain(0);
});

test("a claim that fails takes none of the jobs with it that were claimed beside it", async () => {
  const ran: unknown[] = [];
  const tool = fakeTool((input: unknown) => void ran.push((input as { n: number }).n));
  let claims = 0;
  const { executor, store, pass } = worldOf(tool, (inner) => {
    const { claim } = inner;
    inner.claim = async (options) => {
      // The second of the claims that are made at the same time.
      if (++claims === 3) throw new Error("no answer");
      return claim.call(inner, options);
    };
    return inner;
  });
  for (let n = 0; n < 6; n++) await store.submit({ ...left, id: `urn:platform:job:${n}`, input: { n } }, undefined);
  await expect(executor.resume()).rejects.toThrow("no answer");
  // Long before a lease of a claimed job would end.
  await pass(6);
  expect(ran.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  await executor.drain(0);
});

test("finished jobs are dropped when their time is over, although nobody asks for them", async () => {
  const tool = fakeTool(() => 1, { options: { executorOpts: { jobCacheTtl: 30 } } });
  let reaped = 0;
  const { executor, store, pass } = worldOf(tool, (inner) => {
    const { reap } = inner;
    inner.reap = () => {
      reaped++;
      return reap.call(inner);
    };
    return inner;
  });
  executor.start({ tool, input: {}, id });
  await pass(29);
  expect(await store.get(id)).toMatchObject({ state: "succeeded" });
  await pass(10);
  expect(await store.get(id)).toBeUndefined();
  expect(reaped).toBeGreaterThanOrEqual(5);
  await executor.drain(0);
  const count = reaped;
  await pass(60);
  expect(reaped).toBe(count);
});

test("a job whose worker is gone is taken up in the next round, and its events go on where they were", async () => {
  const tool = fakeTool((_: object, job: JobContext) => {
    job.report.stepStarted("again");
    job.report.stepFinished("again");
    return "done";
  });
  const { executor, store, pass } = worldOf(tool);
  await executor.resume();
  const answer = await store.submit(left, 15);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  const said = { $schema: "urn:platform:schema:service.event.generic.1", name: "x", timestamp: "2026-01-01T00:00:00Z" };
  await store.progress(answer.lease, [{ sequence: 1, body: { ...said, sequence: 1 } }]);
  await store.progress(answer.lease, [{ sequence: 2, body: { ...said, sequence: 2 } }]);
  const waiting = await executor.find(id);
  if (waiting === undefined) throw new Error("no job");
  const heard: number[] = [];
  waiting.onEvent(({ sequence }) => heard.push(sequence));
  const ended = waiting.done;
  await pass(25);
  expect(await ended).toEqual({ state: "succeeded", result: { kind: "json", json: '"done"' } });
  expect([waiting.state, heard]).toEqual(["succeeded", [1, 2, 3, 4]]);
  const record = await store.get(id);
  expect([record?.attempt, record?.events.map(({ sequence, body }) => [sequence, body["sequence"]])]).toEqual([
    2,
    [1, 2, 3, 4].map((sequence) => [sequence, sequence]),
  ]);
});

test("a claimed job whose events cannot be read is handed back, and is taken up later", async () => {
  const tool = fakeTool(() => 1);
  let fails = false;
  const { executor, store, pass } = worldOf(tool, (inner) => {
    const { get } = inner;
    inner.get = (of) => {
      if (fails) throw new Error("no answer");
      return get.call(inner, of);
    };
    return inner;
  });
  const answer = await store.submit(left, 15);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  await store.progress(answer.lease, [{ sequence: 1, body: {} }]);
  await store.release(answer.lease, 0);
  fails = true;
  await expect(executor.resume()).rejects.toThrow("no answer");
  fails = false;
  expect(await store.get(id)).toMatchObject({ state: "pending", attempt: 0 });
  // Long before its lease would end.
  await pass(6);
  expect(await store.get(id)).toMatchObject({ state: "succeeded", attempt: 1 });
  await executor.drain(0);
});

test("who listens to an attempt hears the earlier ones first", async () => {
  const tool = fakeTool((_: object, job: JobContext) => {
    job.report.stepStarted("again");
    return new Promise(() => {});
  });
  const { executor, store } = worldOf(tool);
  const answer = await store.submit(left, 15);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  await store.progress(answer.lease, [{ sequence: 7, body: { sequence: 7, name: "before" } }]);
  await store.release(answer.lease, 0);
  await executor.resume();
  const heard: [number, unknown][] = [];
  (await executor.find(id))?.onEvent(({ sequence, publicBody }) => heard.push([sequence, publicBody["name"]]));
  expect(heard).toEqual([
    [7, "before"],
    [8, "again"],
  ]);
});

test("a draining service takes nothing up", async () => {
  const tool = fakeTool(() => 1);
  const gate = Promise.withResolvers<void>();
  const { executor, store, pass } = worldOf(tool, (inner) => {
    const { settle } = inner;
    inner.settle = async (...args) => gate.promise.then(() => settle.apply(inner, args));
    return inner;
  });
  await executor.resume();
  executor.start({ tool, input: {}, id: "urn:platform:job:own" });
  const drained = executor.drain(0);
  await store.submit(left);
  await pass(20);
  gate.resolve();
  await drained;
  expect(await store.get(id)).toMatchObject({ state: "pending" });
});

test("a claim that the store answers when the shutdown has begun is handed back", async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { executor, store } = worldOf(endless(), (inner) => {
    const { claim } = inner;
    inner.claim = async (...args) => {
      const claimed = await claim.apply(inner, args);
      asked.resolve();
      await gate.promise;
      return claimed;
    };
    return inner;
  });
  await store.submit(left);
  const resumed = executor.resume();
  await asked.promise;
  const drained = executor.drain(0);
  gate.resolve();
  await Promise.all([resumed, drained]);
  expect(executor.jobs).toEqual([]);
  expect(await store.get(id)).toMatchObject({ state: "pending", attempt: 0 });
});

test("a last attempt that ends at once keeps no other one waiting", async () => {
  const { executor, store, pass } = worldOf(fakeTool(() => "done"));
  const ids = ["a", "b"].map((name): JobUrn => `urn:platform:job:${name}`);
  for (const one of ids) await store.submit({ ...left, id: one, maxAttempts: 2 }, 15);
  await executor.resume();
  await pass(40);
  const states = await Promise.all(ids.map(async (one) => (await store.get(one))?.state));
  expect(states).toEqual(["succeeded", "succeeded"]);
  await executor.drain(0);
});

test("a store that fails in a round: logged, and the next round tries again", async () => {
  const tool = fakeTool(() => 1);
  let broken = true;
  const { executor, store, pass } = worldOf(tool, (inner) => {
    const { reap } = inner;
    inner.reap = () => {
      if (broken) throw new Error("the disk is gone");
      return reap.call(inner);
    };
    return inner;
  });
  await expect(executor.resume()).rejects.toThrow("the disk is gone");
  await store.submit(left);
  await pass(5);
  await flushLogs();
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: "the job store failed" });
  broken = false;
  await pass(5);
  expect(await store.get(id)).toMatchObject({ state: "succeeded" });
  await executor.drain(0);
});

test("jobs that others run: whoever waits is told of the end, of new events, and when the store has dropped them", async () => {
  const tool = endless();
  let asked = 0;
  /** News that are still on their way, once they come late. */
  const late: (() => void)[] = [];
  let isLate = false;
  const { executor, store, pass, skip } = worldOf(tool, (inner) => {
    const { get, watch } = inner;
    inner.get = (urn) => {
      asked++;
      return get.call(inner, urn);
    };
    inner.watch = (urn, listener) =>
      watch.call(inner, urn, (change) => {
        if (isLate) late.push(() => listener(change));
        else listener(change);
      });
    return inner;
  });
  const answer = await store.submit({ ...left, ttl: 1 }, 1000);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  const jobs: Job[] = [];
  for (let n = 0; n < 3; n++) {
    const job = await executor.find(id);
    if (job === undefined) throw new Error("no job");
    jobs.push(job);
    job.onEnd(() => {});
  }
  expect(new Set(jobs).size).toBe(1);
  const heard: number[] = [];
  const stop = jobs[0]?.onEvent(({ sequence }) => heard.push(sequence));
  await pass(1);
  const atRest = asked;
  await pass(60);
  expect(asked, "reads while nothing happens").toBe(atRest);
  await store.progress(answer.lease, [{ sequence: 1, body: {} }]);
  await pass(1);
  await store.progress(answer.lease, [{ sequence: 2, body: {} }]);
  await pass(1);
  stop?.();
  await store.progress(answer.lease, [{ sequence: 3, body: {} }]);
  await store.settle(answer.lease, { state: "failed", error: { kind: "user-input", message: "no" } });
  await pass(0.5);
  expect([heard, jobs[0]?.outcome]).toMatchObject([[1, 2], { state: "failed", error: { message: "no" } }]);
  const before = asked;
  await pass(10);
  expect(asked).toBe(before);

  const second = await store.submit({ ...left, id: "urn:platform:job:b", ttl: 1 }, 1000);
  if (second.kind !== "created" || second.lease === undefined) throw new Error("no lease");
  const lost = await executor.find("urn:platform:job:b");
  const ended = lost?.done;
  await pass(1);
  isLate = true;
  await store.settle(second.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  skip(2);
  for (const tell of late) tell();
  expect(await ended).toMatchObject({ state: "error", error: { kind: "not-found" } });
});

test("a job with many events is read a few times a second, and none of them is missed", async () => {
  const tool = endless();
  let asked = 0;
  const { executor, store, pass } = worldOf(tool, (inner) => {
    const { get } = inner;
    inner.get = (urn) => {
      asked++;
      return get.call(inner, urn);
    };
    return inner;
  });
  const answer = await store.submit(left, 1000);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  const heard: number[] = [];
  (await executor.find(id))?.onEvent(({ sequence }) => heard.push(sequence));
  await pass(1);
  const before = asked;
  for (let sequence = 1; sequence <= 500; sequence++) await store.progress(answer.lease, [{ sequence, body: {} }]);
  await pass(1);
  expect([heard.length, asked - before]).toEqual([500, 2]);
});

test("a read that fails is logged once, and repeated until it succeeds", async () => {
  const tool = endless();
  let broken = false;
  const { executor, store, pass } = worldOf(tool, (inner) => {
    const { get } = inner;
    inner.get = (urn) => {
      if (broken) throw new Error("the disk is gone");
      return get.call(inner, urn);
    };
    return inner;
  });
  const answer = await store.submit(left, 1000);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  const job = await executor.find(id);
  const ended = job?.done;
  await pass(1);
  broken = true;
  await store.settle(answer.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  await pass(20);
  await flushLogs();
  expect([lines.filter((line) => line.includes("the disk is gone")).length, job?.outcome]).toEqual([1, undefined]);
  broken = false;
  await pass(5);
  expect(await ended).toMatchObject({ state: "succeeded" });
});

test("cancelling a job that another process runs: the answer shows it at once", async () => {
  const tool = endless();
  const { executor, store } = worldOf(tool);
  await store.submit(left, 15);
  const job = await executor.find(id);
  const ended = job?.done;
  expect((await executor.cancel(id, "by hand"))?.outcome).toMatchObject({ state: "cancelled" });
  expect(await ended).toMatchObject({ state: "cancelled", error: { message: "by hand" } });
});
