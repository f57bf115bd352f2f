import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { KeptCodec } from "../../../../../runtime/contract/contract.ts";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { RequestBudget } from "../../../../../runtime/executor/running/request-budget.ts";
import type { RunningJob } from "../../../../../runtime/executor/running/running-job.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { limitsOf } from "../../../../../runtime/job/limits/limits-of.ts";
import type { Job, JobUrn } from "../../../../../runtime/job/job.ts";
import type { ToolOptions } from "../../../../../runtime/service/tools/tool-options.ts";
import type { Tool } from "../../../../../runtime/service/tools/tool.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";
import { sqlitePlace } from "../store/sqlite-place.ts";

beforeAll(() => loggingInit({ level: "CRITICAL" }));

const executorOpts = { maxWorkers: 1, queueSize: 1000 };
const large = { text: "x".repeat(100_000) };
const overloaded = expect.objectContaining({ kind: "overloaded", retryAfter: 3 }) as unknown;

let gate: PromiseWithResolvers<void>;
let store: JobStore;
beforeEach(() => {
  gate = deferred();
  store = createMemoryStore();
});

const waiting = (options: ToolOptions = { executorOpts }): Tool => fakeTool(() => gate.promise, { options });

/** An executor whose budget has place for ten large requests. */
function executorOf(...tools: Tool[]): Executor {
  const executor = createExecutor({
    tools,
    store,
    every: () => () => {},
    requests: { budget: new RequestBudget(store, 1.05e6) },
  });
  onTestFinished(async () => {
    gate.resolve();
    await executor.drain(0);
  });
  return executor;
}

/** Starts jobs until one is refused. */
function fill(executor: Executor, tool: Tool): readonly Job[] {
  const jobs: Job[] = [];
  expect(() => {
    for (let at = 0; at < 100; at++) jobs.push(executor.start({ tool, input: large }));
  }).toThrow(overloaded);
  return jobs;
}

test("jobs whose requests fill the memory are refused, until earlier ones have ended", async () => {
  const tool = waiting();
  const executor = executorOf(tool);
  const jobs = fill(executor, tool);
  expect(jobs).toHaveLength(10);
  jobs[5]?.cancel("not needed");
  expect(fill(executor, tool)).toHaveLength(1);
  gate.resolve();
  await Promise.all(jobs.map(({ done }) => done));
  await expect.poll(() => executor.jobs).toEqual([]);
  gate = deferred();
  expect(fill(executor, tool)).toHaveLength(10);
});

test("a request of many small values counts for the memory that these take", () => {
  const tool = waiting();
  const executor = executorOf(tool);
  executor.start({ tool, input: JSON.parse(`{"many":[${"{},".repeat(20_000)}0]}`) });
  expect(() => executor.start({ tool, input: large })).toThrow(overloaded);
});

test("headers that a job keeps count as well", () => {
  const tool = waiting();
  const executor = executorOf(tool);
  const given = { tracestate: `a=${"x".repeat(50_000)}`, baggage: `b=${"y".repeat(50_000)}` };
  expect(() => {
    for (let at = 0; at < 20; at++) executor.start({ tool, input: {}, ...given });
  }).toThrow(overloaded);
});

test("short calls that begin at once go on beside a full queue of another tool, and are bounded too", () => {
  const tool = waiting();
  const short = fakeTool((): unknown => gate.promise, {
    name: "short",
    options: { executorOpts: { maxWorkers: 500 } },
  });
  const durable = fakeTool(() => 1, { name: "durable", definition: { durable: true } });
  const executor = executorOf(tool, short, durable);
  fill(executor, tool);
  const input = { text: "x".repeat(10_000) };
  expect(() => executor.start({ tool, input })).toThrow(overloaded);
  expect(() => executor.start({ tool: durable, input })).toThrow(overloaded);
  expect(() => executor.start({ tool: short, input: large })).toThrow(overloaded);
  let begun = 0;
  expect(() => {
    for (; begun < 500; begun++) executor.start({ tool: short, input: {} });
  }).toThrow(overloaded);
  expect(begun).toBeGreaterThan(40);
});

test("jobs of the platform are never refused, since it hands out as many as there are slots", () => {
  const tool = waiting();
  const executor = executorOf(tool);
  fill(executor, tool);
  const attempt = { id: "a", headers: {} };
  expect(executor.start({ tool, input: large, attempt }).state).toBe("pending");
});

const codec: KeptCodec = { fingerprint: "b", schema: { type: "boolean" }, is: () => true };
const pause = fakeTool(
  async (_: unknown, job: JobContext) =>
    (job.wait as (...args: unknown[]) => Promise<unknown>).call(job, "go", {}, codec) as Promise<boolean>,
  { definition: { durable: true, waits: [{ name: "go", codec: { schema: codec.schema } } as never] } },
);

test("events of a job that is parked in memory count", async () => {
  const talkative = fakeTool(
    async (_: unknown, job: JobContext) => {
      job.report.step("said", { message: "x".repeat(200_000) });
      return (job.wait as (...args: unknown[]) => Promise<unknown>).call(job, "go", {}, codec) as Promise<boolean>;
    },
    { definition: { durable: true, waits: [{ name: "go", codec: { schema: codec.schema } } as never] } },
  );
  const executor = executorOf(talkative);
  const job = executor.start({ tool: talkative, input: {} });
  await executor.keep(job);
  await expect.poll(async () => (await store.get(job.id))?.waiting).toBeDefined();
  expect(store.waitingBytes).toBeGreaterThan(200_000);
  await executor.cancel(job.id, "not needed");
  expect(store.waitingBytes).toBe(0);
});

test("jobs that are parked in memory count until they end, with their messages", async () => {
  const executor = executorOf(pause);
  const ids: JobUrn[] = [];
  for (let at = 0; at < 10; at++) {
    const job = executor.start({ tool: pause, input: large });
    ids.push(job.id);
    await executor.keep(job);
    await expect.poll(async () => (await store.get(job.id))?.waiting).toBeDefined();
  }
  expect(executor.jobs).toEqual([]);
  expect(() => executor.start({ tool: pause, input: {} })).toThrow(overloaded);
  const [first, ...others] = ids as [JobUrn, ...JobUrn[]];
  await expect(executor.send({ id: first, name: "go", body: true, owner: undefined } as never)).rejects.toThrow(
    overloaded,
  );
  await expect(executor.fork({ id: first, tool: pause }, undefined)).rejects.toThrow(overloaded);
  for (const id of others) await executor.cancel(id, "not needed");
  expect(store.waitingBytes).toBeGreaterThan(100_000);
  expect(store.waitingBytes).toBeLessThan(120_000);
  await store.send(first, { name: "other", body: `"${"y".repeat(50_000)}"` });
  expect(store.waitingBytes).toBeGreaterThan(150_000);
  await executor.cancel(first, "not needed");
  expect(store.waitingBytes).toBe(0);
});

test("a job that waits for its limit counts once in memory, and a file has its request", async () => {
  const plain = waiting();
  const tool = {
    ...plain,
    definition: { ...plain.definition, limit: { jobs: 1, beyond: "wait" } },
    functions: { ...plain.functions, limits: limitsOf as never },
  } as Tool;
  const place = sqlitePlace();
  onTestFinished(() => place.remove());
  for (const [kind, waits] of [
    ["memory", 4],
    ["file", 0],
  ] as const) {
    if (kind === "file") store = place.open();
    const executor = executorOf(tool);
    const jobs = Array.from({ length: 5 }, () => executor.start({ tool, input: large }) as RunningJob);
    await expect.poll(() => jobs.filter(({ known }) => known !== undefined).length).toBe(4);
    expect([kind, Math.round((store.waitingBytes ?? 0) / 100_000)]).toEqual([kind, waits]);
    expect([kind, jobs.filter(({ input }) => input !== undefined).length]).toEqual([kind, 1]);
    expect([kind, Math.round(jobs.reduce((sum, { bytes }) => sum + bytes, 0) / 100_000)]).toEqual([kind, 1]);
    // The last first, since each end lets the next one begin.
    for (const job of jobs.toReversed()) job.cancel("over");
    await expect.poll(() => executor.jobs).toEqual([]);
    await expect.poll(() => store.waitingBytes ?? 0).toBe(0);
  }
});

test("a cancelled job counts until its function has ended as well", async () => {
  const tool = waiting({ executorOpts: { maxWorkers: 50 } });
  const executor = executorOf(tool);
  const jobs = fill(executor, tool);
  for (const job of jobs) job.cancel("not needed");
  expect(executor.jobs).toEqual([]);
  expect(() => executor.start({ tool, input: large })).toThrow(overloaded);
  gate.resolve();
  await gate.promise;
  await expect.poll(() => jobs.some((job) => (job as RunningJob).bytes > 0)).toBe(false);
  gate = deferred();
  expect(fill(executor, tool)).toHaveLength(10);
});

test("a cancelled job whose function waits for what nothing refers to does not count for ever", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const forgetful = fakeTool(() => new Promise(() => {}), { options: { executorOpts: { maxWorkers: 50 } } });
  const executor = executorOf(forgetful);
  for (const job of fill(executor, forgetful)) job.cancel("not needed");
  await expect
    .poll(() => {
      collect();
      try {
        executor.start({ tool: forgetful, input: large }).cancel("not needed");
        return "taken";
      } catch {
        return "refused";
      }
    })
    .toBe("taken");
});

test("messages and steps of a job that runs count as well, and those of a cancelled one do not", async () => {
  const tool = fakeTool(() => gate.promise, { definition: { durable: true }, options: { executorOpts } });
  const executor = executorOf(tool);
  const job = executor.start({ tool, input: {} });
  await executor.keep(job);
  await store.send(job.id, { name: "go", body: `"${"€".repeat(100_000)}"` });
  expect(store.waitingBytes).toBeGreaterThan(200_000);
  const book = await (job as RunningJob).book();
  const step = { key: "a", tries: 1, fingerprint: "f" };
  await book.keep({ ...step, state: "running", value: `"${"x".repeat(300_000)}"` });
  expect(store.waitingBytes).toBeGreaterThan(500_000);
  await book.keep({ ...step, state: "done", value: `"x"` });
  expect(store.waitingBytes).toBeLessThan(205_000);
  job.cancel("not needed");
  await expect.poll(() => store.waitingBytes).toBe(0);
});
