import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createExecutor } from "../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../runtime/executor/executor.ts";
import type { RunningJob } from "../../../../runtime/executor/running/running-job.ts";
import type { JobStore } from "../../../../runtime/executor/store/job-store.ts";
import { GenericEvent } from "../../../../runtime/index.ts";
import { createMemoryStore } from "../../../../runtime/executor/store/memory/memory.ts";
import { flushLogs, loggingInit } from "../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../support/fake-tool.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "ERROR", write: (line) => lines.push(line) });
});

afterEach(flushLogs);

/** The same store, as if it stood across a network: every answer is a promise. News come unasked. */
function remote(store: JobStore, fail: (verb: string) => boolean = () => false): JobStore {
  return new Proxy(store, {
    get(target, verb: keyof JobStore & string) {
      const member = target[verb];
      if (typeof member !== "function") return member;
      if (verb === "watch" || verb === "ready") return member.bind(target);
      return async (...args: never[]) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (fail(verb)) throw new Error(`${verb} failed`);
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
}

function executorWith(
  store: JobStore,
  ...calls: ((request: never) => unknown)[]
): [Executor, ReturnType<typeof fakeTool>[]] {
  const tools = calls.map((call, index) => fakeTool(call, { name: `tool${index}` }));
  const executor = createExecutor({ tools, store });
  // Its rounds would report a store that fails into the logs of later files, which run in the same process.
  onTestFinished(async () => void (await executor.drain(0)));
  return [executor, tools];
}

test("named jobs: stored before they run, attached to while they run and afterwards", async () => {
  const gate = deferred();
  let calls = 0;
  const [executor, [tool]] = executorWith(remote(createMemoryStore()), async () => {
    calls++;
    await gate.promise;
    return calls;
  });
  if (tool === undefined) throw new Error("no tool");
  const named = { tool, input: {}, id: "urn:platform:job:a" as const, idempotency: { key: "k", digest: "d" } };
  const first = executor.start(named);
  expect(first.state).toBe("pending");
  const second = executor.start(named);
  await expect.poll(() => first.state).toBe("executing");
  const third = executor.start({ tool, input: {}, idempotency: { key: "k", digest: "d" } });
  await expect.poll(() => third.state).toBe("executing");
  gate.resolve();
  const outcomes = await Promise.all([first.done, second.done, third.done]);
  expect(outcomes.map((outcome) => outcome.state)).toEqual(["succeeded", "succeeded", "succeeded"]);
  expect(outcomes[2]).toEqual(outcomes[0]);
  await executor.drain(1000);
  expect(calls).toBe(1);
});

test("a job that has ended is not run again when its name comes once more", async () => {
  const store = createMemoryStore();
  let calls = 0;
  const [executor, [tool]] = executorWith(remote(store), () => ++calls);
  if (tool === undefined) throw new Error("no tool");
  const named = { tool, input: {}, id: "urn:platform:job:a" as const, idempotency: { key: "k", digest: "d" } };
  const first = await executor.start(named).done;
  for (let n = 0; n < 3; n++) expect(await executor.start(named).done).toEqual(first);
  // Another process runs it: whoever asks here waits for that one.
  await store.submit({ id: "urn:platform:job:b", tool: tool.name, input: {}, ttl: 60, maxAttempts: 1 }, 15);
  const foreign = executor.start({ tool, input: {}, id: "urn:platform:job:b" });
  await store.cancel("urn:platform:job:b", "by hand");
  expect([(await foreign.done).state, calls]).toEqual(["cancelled", 1]);
});

test("a conflict that only the store knows is an outcome", async () => {
  const store = createMemoryStore();
  const [executor, [tool]] = executorWith(remote(store), () => 1);
  if (tool === undefined) throw new Error("no tool");
  await executor.start({ tool, input: {}, idempotency: { key: "k", digest: "d" } }).done;
  const outcome = await executor.start({ tool, input: {}, idempotency: { key: "k", digest: "e" } }).done;
  expect(outcome).toMatchObject({ state: "failed", error: { kind: "idempotency-conflict" } });
});

test("kept jobs are found at any moment, also when they end while they are being kept", async () => {
  const gate = deferred();
  const [executor, [tool]] = executorWith(remote(createMemoryStore()), () => gate.promise.then(() => 7));
  if (tool === undefined) throw new Error("no tool");
  const job = executor.start({ tool, input: {} });
  const kept = executor.keep(job);
  gate.resolve();
  expect(await executor.find(job.id)).toBe(job);
  await kept;
  await job.done;
  for (let turn = 0; turn < 20; turn++) {
    expect((await executor.find(job.id))?.outcome).toEqual({ state: "succeeded", result: { kind: "json", json: "7" } });
  }
});

test("a store that fails: a named job and a deferral end as system errors, a running job goes on", async () => {
  const [executor, [tool]] = executorWith(
    remote(createMemoryStore(), (verb) => verb === "submit"),
    () => new Promise(() => {}),
  );
  if (tool === undefined) throw new Error("no tool");
  const outcome = await executor.start({ tool, input: {}, id: "urn:platform:job:a" }).done;
  expect(outcome).toMatchObject({ state: "error", error: { kind: "system" } });
  const job = executor.start({ tool, input: {} });
  await expect(executor.keep(job)).rejects.toThrow("submit failed");
  expect([job.state, await executor.find(job.id)]).toEqual(["executing", undefined]);
  job.cancel("end of test");
});

test("a job that the store refuses is not tried again by `@retry`: it has not begun", async () => {
  let refusals = 0;
  const store = remote(createMemoryStore(), (verb) => verb === "submit" && refusals++ === 0);
  let runs = 0;
  const tool = fakeTool(() => ++runs, { definition: { retry: { attempts: 3, from: 1, to: 1 } } });
  const executor = createExecutor({ tools: [tool], store });
  onTestFinished(async () => void (await executor.drain(0)));
  const outcome = await executor.start({ tool, input: {}, id: "urn:platform:job:a" }).done;
  expect([outcome.state, refusals, runs]).toEqual(["error", 1, 0]);
});

test("callers are told nothing before it is written, so that a crash cannot give them another answer", async () => {
  const gate = deferred();
  const store = createMemoryStore();
  const [executor, [tool]] = executorWith(
    new Proxy(remote(store), {
      get: (target, verb: keyof JobStore & string) =>
        verb === "settle"
          ? (...args: Parameters<JobStore["settle"]>) => gate.promise.then(() => store.settle(...args))
          : Reflect.get(target, verb),
    }),
    () => 1,
  );
  if (tool === undefined) throw new Error("no tool");
  const job = executor.start({ tool, input: {}, id: "urn:platform:job:a" });
  let told = false;
  job.onEnd(() => (told = true));
  await expect.poll(async () => (await store.get(job.id))?.state).toBe("executing");
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect([told, job.outcome, (await executor.find(job.id))?.state]).toEqual([false, undefined, "executing"]);
  gate.resolve();
  expect(await job.done).toEqual({ state: "succeeded", result: { kind: "json", json: "1" } });
});

test("an event is told once it is written: after a crash its number may be that of another one", async () => {
  const [gate, end] = [deferred(), deferred()];
  const store = createMemoryStore();
  const [executor, [tool]] = executorWith(
    new Proxy(remote(store), {
      get: (target, verb: keyof JobStore & string) =>
        verb === "progress"
          ? (...args: Parameters<JobStore["progress"]>) => gate.promise.then(() => store.progress(...args))
          : Reflect.get(target, verb),
    }),
    () => end.promise,
  );
  if (tool === undefined) throw new Error("no tool");
  const job = executor.start({ tool, input: {}, id: "urn:platform:job:a" });
  await expect.poll(async () => (await store.get(job.id))?.state).toBe("executing");
  const heard: number[] = [];
  job.onEvent(({ sequence }) => heard.push(sequence));
  const { emit } = job as RunningJob;
  emit(new GenericEvent("one", {}));
  emit(new GenericEvent("two", {}));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual([]);
  gate.resolve();
  await expect.poll(() => heard).toEqual([1, 2]);
  end.resolve();
  await job.done;
});

test("a job that waits for a free slot at any replica stays in the store when this one stops", async () => {
  const store = remote(Object.assign(createMemoryStore(), { isShared: true }));
  const tool = fakeTool(() => new Promise(() => {}), { options: { executorOpts: { maxWorkers: 1 } } });
  const executor = createExecutor({ tools: [tool], store });
  executor.start({ tool, input: {} });
  const promised = executor.start({ tool, input: {} });
  await executor.keep(promised);
  await executor.drain(0);
  expect(promised.outcome).toMatchObject({ state: "error", error: { kind: "draining" } });
  expect((await store.get(promised.id))?.state).toBe("pending");
});

test("who reads along while a job's name comes in once more hears the job that another process runs", async () => {
  const store = createMemoryStore();
  const [executor, [tool]] = executorWith(remote(store), () => 1);
  if (tool === undefined) throw new Error("no tool");
  const id = "urn:platform:job:c";
  const answer = await store.submit({ id, tool: tool.name, input: {}, ttl: 60, maxAttempts: 1 }, 15);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  const again = executor.start({ tool, input: {}, id });
  const heard: number[] = [];
  (await executor.find(id))?.onEvent(({ sequence }) => heard.push(sequence));
  await store.progress(answer.lease, [{ sequence: 1, body: {} }]);
  await expect.poll(() => heard).toEqual([1]);
  await store.cancel(id, "by hand");
  await again.done;
});

test("a cancellation is acknowledged when it is written", async () => {
  const store = createMemoryStore();
  const [executor, [tool]] = executorWith(remote(store), () => new Promise(() => {}));
  if (tool === undefined) throw new Error("no tool");
  const job = executor.start({ tool, input: {}, id: "urn:platform:job:a" });
  await expect.poll(() => job.state).toBe("executing");
  expect((await executor.cancel(job.id, "by hand"))?.outcome).toMatchObject({ state: "cancelled" });
  expect(await store.get(job.id)).toMatchObject({ state: "cancelled" });
});

test("a job that was ended by somebody else is told as it is on record", async () => {
  const gate = deferred();
  const store = createMemoryStore();
  const [executor, [tool]] = executorWith(remote(store), () => gate.promise.then(() => 1));
  if (tool === undefined) throw new Error("no tool");
  const job = executor.start({ tool, input: {}, id: "urn:platform:job:a" });
  await expect.poll(() => job.state).toBe("executing");
  await store.cancel(job.id, "by hand");
  gate.resolve();
  expect(await job.done).toMatchObject({ state: "cancelled", error: { message: "by hand" } });
});

test("a result that cannot be written is logged, and the job stays findable here", async () => {
  const [executor, [tool]] = executorWith(
    remote(createMemoryStore(), (verb) => verb === "settle"),
    () => 1,
  );
  if (tool === undefined) throw new Error("no tool");
  const job = executor.start({ tool, input: {}, id: "urn:platform:job:a" });
  await job.done;
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: "the job store failed",
    error: { message: "settle failed" },
  });
  expect(await executor.find(job.id)).toBe(job);
});

test("jobs that an earlier process left are run; a foreign tool's are left alone", async () => {
  const store = createMemoryStore();
  const left = { tool: "tool0", input: { text: "x" }, ttl: 60, maxAttempts: 1 };
  await store.submit({ ...left, id: "urn:platform:job:left" });
  await store.submit({ ...left, id: "urn:platform:job:foreign", tool: "gone" });
  const [executor] = executorWith(remote(store), ({ text }: { text: string }) => text);
  await executor.resume();
  await expect
    .poll(async () => (await executor.find("urn:platform:job:left"))?.outcome)
    .toEqual({ state: "succeeded", result: { kind: "json", json: '"x"' } });
  expect(await store.get("urn:platform:job:foreign")).toMatchObject({ state: "pending" });
});

test("jobs of other callers answer like unknown ones", async () => {
  const [executor, [tool]] = executorWith(createMemoryStore(), () => new Promise(() => {}));
  if (tool === undefined) throw new Error("no tool");
  const job = executor.start({ tool, input: {}, id: "urn:platform:job:a", owner: "alice" });
  expect(await executor.find(job.id, "alice")).toBe(job);
  expect(await executor.find(job.id, "bob")).toBe(undefined);
  expect(await executor.find(job.id)).toBe(undefined);
  expect(await executor.cancel(job.id, "no", "bob")).toBe(undefined);
  expect(job.state).toBe("executing");
  job.cancel("end of test");
  expect(await executor.find(job.id, "bob")).toBe(undefined);
});
