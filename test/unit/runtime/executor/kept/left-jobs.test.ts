import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { Job, JobUrn } from "../../../../../runtime/job/job.ts";
import type { JobObserver } from "../../../../../runtime/job/job-span.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";

beforeAll(() => loadKept());

let now: number;
let store: JobStore;
let executor: Executor;
let round: () => void;

beforeEach(() => {
  loggingInit({ level: "CRITICAL" });
  now = 0;
  store = createMemoryStore({ now: () => now });
});
afterEach(() => executor.drain(0));

function start(body: (job: JobContext) => unknown, id?: JobUrn, observer?: JobObserver): Job {
  const tool = fakeTool((_, job) => body(job), { definition: { durable: true } });
  executor = createExecutor({
    tools: [tool],
    store,
    ...(observer && { observer }),
    every: (_, callback) => {
      round = callback;
      return () => {};
    },
  });
  return executor.start({ tool, input: {}, id });
}

async function parked({ id }: Job): Promise<void> {
  await expect.poll(async () => (await store.get(id))?.waiting).toBeDefined();
}

test("a parked job whose caller leaves is cancelled", async () => {
  const job = start((context) => context.sleep("1 day"));
  await parked(job);
  job.cancel("The client left without an answer.");
  await expect.poll(async () => (await store.get(job.id))?.state).toBe("cancelled");
  expect(await job.done).toMatchObject({ state: "cancelled" });
});

test("a cancellation counts while the parking of the job is written", async () => {
  const began = deferred();
  const written = deferred();
  const { park } = store;
  store.park = async (...args) => {
    began.resolve();
    await written.promise;
    return park.apply(store, args);
  };
  const id = "urn:platform:job:a";
  const job = start((context) => context.sleep("1 day"), id);
  await began.promise;
  const cancelled = executor.cancel(id, "No more.");
  written.resolve();
  expect((await cancelled)?.state).toBe("cancelled");
  expect(await job.done).toMatchObject({ state: "cancelled" });
  expect((await store.get(id))?.state).toBe("cancelled");
});

test("leaving is neither a failed step nor an end", async () => {
  const calls: string[] = [];
  const observer: JobObserver = {
    began: () => void calls.push("began"),
    ended: ({ outcome }) => calls.push(`ended ${outcome?.state}`),
    left: () => calls.push("left"),
  };
  const job = start((context) => context.report.step("phase", () => context.sleep("1 day")), undefined, observer);
  await parked(job);
  expect(calls).toEqual(["began", "left"]);
  now += 86_500_000;
  round();
  expect(await job.done).toMatchObject({ state: "succeeded" });
  expect(calls).toEqual(["began", "left", "began", "ended succeeded"]);
  const events = (await store.get(job.id))?.events.map(({ body }) => body["$schema"]);
  expect(events?.filter((urn) => String(urn).includes("error"))).toEqual([]);
});
