import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import type { RetryDefinition } from "../../../../../runtime/contract/contract.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";
import { sqlitePlace, type SqlitePlace } from "../store/sqlite-place.ts";

const source = (path: string): string => pathToFileURL(join(import.meta.dirname, "../../../../..", path)).href;
const key = Symbol.for("tenon.entry");
const id: JobUrn = "urn:platform:job:a";

let place: SqlitePlace;
let store: JobStore;
beforeEach(() => {
  loggingInit({ level: "ERROR", write() {} });
  place = sqlitePlace();
  store = place.open();
});
afterEach(async () => {
  await store.close();
  place.remove();
});

/** An executor whose threads run `body` as the function of a tool; `given` has the calls of steps and waits. */
function threaded(body: string, retry?: RetryDefinition): Executor {
  const entry = `
    import { parentPort } from "node:worker_threads";
    import { runThread } from ${JSON.stringify(source("runtime/executor/threads/thread-main.ts"))};
    const codec = { fingerprint: "f", optional: true };
    const date = {
      fingerprint: "date", schema: { type: "string" }, encode: (value) => value.toISOString(),
      is: (wire) => typeof wire === "string" && wire.endsWith("Z"), decode: (wire) => new Date(wire),
    };
    const call = async (input, job) => { ${body} };
    const definition = { name: "echo", description: "", signature: "", source: "", annotations: {}, thread: true,
      durable: true, retry: ${JSON.stringify(retry)}, result: { kind: "json" }, mcp: { inputSchema: {} } };
    void runThread(parentPort, [{ name: "echo", definition, functions: { call }, options: {}, path: "/tool" }]);
  `;
  const folder = temporaryFolder({ "entry.mjs": entry });
  Reflect.set(globalThis, key, pathToFileURL(join(folder, "entry.mjs")).href);
  const tool = fakeTool(() => "in the main thread", {
    definition: { thread: true, durable: true, ...(retry !== undefined && { retry }) },
    options: { executorOpts: { maxWorkers: 2 } },
  });
  const executor = createExecutor({ tools: [tool], store });
  Reflect.deleteProperty(globalThis, key);
  onTestFinished(async () => void (await executor.drain(0)));
  return Object.assign(executor, { begin: (job = id) => executor.start({ tool, input: {}, id: job }) });
}

const begin = (executor: Executor, job?: JobUrn): ReturnType<Executor["start"]> =>
  (executor as Executor & { begin: (job?: JobUrn) => ReturnType<Executor["start"]> }).begin(job);

test("a key that a job learns in a thread is not in the log of the main thread", async () => {
  const lines: string[] = [];
  loggingInit({ level: "ERROR", write: (line) => lines.push(line) });
  const executor = threaded(`
    const { addSecret } = await import(${JSON.stringify(source("runtime/telemetry/log/log-state.ts"))});
    addSecret("canary-of-a-thread");
    throw new Error("Wrong key canary-of-a-thread");
  `);
  expect(await begin(executor).done).toMatchObject({ state: "error" });
  await flushLogs();
  expect(lines.join("")).toContain("Wrong key [redacted]");
  expect(lines.join("")).not.toContain("canary");
});

test("a step in a thread is kept, and gives the read value in the first attempt as well", async () => {
  const executor = threaded(`
    const given = new Date(5);
    const at = await job.step("date", {}, () => given, date);
    return [at instanceof Date, at !== given, at.getTime()];
  `);
  expect(await begin(executor).done).toMatchObject({ state: "succeeded", result: { json: "[true,true,5]" } });
  expect((await store.recall(id)).steps).toMatchObject([{ key: "date", value: '"1970-01-01T00:00:00.005Z"' }]);
});

test("tries of a step and of the function are counted, in a thread each time, and a final error is not tried again", async () => {
  const executor = threaded(
    `
    const tries = await job.step("flaky", { attempts: 3 }, ({ attempt }) => {
      if (attempt < 3) throw new Error("not yet");
      return attempt;
    }, codec);
    globalThis.runs = (globalThis.runs ?? 0) + 1;
    if (globalThis.runs < 2) throw new Error("once more");
    await job.step("never", { attempts: 1 }, () => { throw new Error("no") }, codec);
    return tries;
  `,
    { attempts: 5, from: 1, to: 2 },
  );
  expect(await begin(executor).done).toMatchObject({ state: "error", error: { kind: "system" } });
  expect((await store.recall(id)).steps).toMatchObject([
    { key: "flaky", state: "done", tries: 2, value: "3" },
    { key: "never", state: "failed", tries: 1 },
    { key: "~tries", tries: 1 },
  ]);
});

test("a job in a thread is parked for a message, and goes on with it from its kept step", async () => {
  const executor = threaded(`
    const first = await job.step("first", {}, () => "kept " + Math.random(), codec);
    const told = await job.wait("go", {}, codec);
    return [first.slice(0, 4), told];
  `);
  const job = begin(executor);
  await expect.poll(async () => (await store.get(id))?.waiting?.waits).toEqual(["go"]);
  const [first] = (await store.recall(id)).steps;
  await store.send(id, { name: "go", body: '"now"' });
  expect(await job.done).toMatchObject({ state: "succeeded", result: { json: '["kept","now"]' } });
  expect((await store.recall(id)).steps.find((step) => step.key === "first")).toMatchObject({ value: first?.value });
});

test("a message that comes while a job waits in its thread is given to it", async () => {
  const executor = threaded(`return job.wait("go", { within: "30s" }, codec);`);
  const job = begin(executor);
  await expect.poll(async () => (await store.recall(id)).steps.length).toBe(1);
  await store.send(id, { name: "go", body: '"here"' });
  expect(await job.done).toMatchObject({ state: "succeeded", result: { json: '"here"' } });
});

test("a wait in a thread that is over already gets a message that came before its end", async () => {
  const executor = threaded(`
    await job.wait("first", { within: "30s" }, codec);
    return job.wait("go", { within: "0ms" }, codec);
  `);
  const job = begin(executor);
  await expect.poll(async () => (await store.recall(id)).steps.length).toBe(1);
  await store.send(id, { name: "go", body: '"in time"' });
  await store.send(id, { name: "first", body: '"first"' });
  expect(await job.done).toMatchObject({ state: "succeeded", result: { json: '"in time"' } });
});

test("code that goes on after its job stores nothing in the next job of its thread", async () => {
  const executor = threaded(`
    if (globalThis.release === undefined) {
      return new Promise((resolve) => {
        void job.step("late", {}, () => {
          resolve("first");
          return new Promise((end) => { globalThis.release = end; });
        }, codec);
      });
    }
    globalThis.release("late");
    await new Promise(setImmediate);
    return job.step("own", {}, () => "second", codec);
  `);
  expect(await begin(executor).done).toMatchObject({ result: { json: '"first"' } });
  const second: JobUrn = "urn:platform:job:b";
  expect(await begin(executor, second).done).toMatchObject({ result: { json: '"second"' } });
  expect((await store.recall(second)).steps.map((step) => step.key)).toEqual(["own"]);
});

test("a kept value that does not fit ends the job as outdated, whatever its code catches", async () => {
  const executor = threaded(
    `
    return job.step("a", {}, () => new Date(0), { ...date, is: () => globalThis.isSecond !== true })
      .then(() => { globalThis.isSecond = true; throw new Error("again") }, () => "caught");
  `,
    { attempts: 3, from: 1, to: 2 },
  );
  expect(await begin(executor).done).toMatchObject({ state: "error", error: { kind: "outdated" } });
});

test("an exception in a timer of an ended job is logged, and its thread goes on with the next job", async () => {
  const logs: string[] = [];
  loggingInit({ level: "ERROR", write: (line) => logs.push(line) });
  const executor = threaded(`
    if (globalThis.release === undefined) {
      globalThis.release = (error) => setTimeout(() => { globalThis.thrown = true; throw error; });
      globalThis.release = (await import("node:async_hooks")).AsyncLocalStorage.bind(globalThis.release);
      return "first";
    }
    globalThis.release(new Error("late stray"));
    while (globalThis.thrown === undefined) await new Promise(setImmediate);
    await new Promise(setImmediate);
    return "second";
  `);
  const first = begin(executor);
  expect(await first.done).toMatchObject({ result: { json: '"first"' } });
  const second: JobUrn = "urn:platform:job:b";
  expect(await begin(executor, second).done).toMatchObject({ state: "succeeded", result: { json: '"second"' } });
  await flushLogs();
  const ofJobs = logs.map((line) => JSON.parse(line) as object).filter((line) => "job_id" in line);
  expect(ofJobs).toMatchObject([
    { job_id: first.id, msg: "uncaught exception after the job had ended", error: { message: "late stray" } },
  ]);
});

test("an exception in a timer of the running job ends its thread, so that a retry runs alone", async () => {
  const executor = threaded(
    `
    if (globalThis.isUsed) return "the same thread";
    globalThis.isUsed = true;
    setTimeout(() => { throw new Error("stray"); });
    return new Promise(() => {});
  `,
    { attempts: 3, from: 1, to: 2 },
  );
  const job = begin(executor);
  expect(await job.done).toMatchObject({ state: "error", error: { kind: "system", cause: { message: "stray" } } });
  expect((await store.recall(id)).steps.find(({ key: name }) => name === "~tries")).toMatchObject({ tries: 2 });
});

test("the signal of a job that fails in a thread is aborted with its error, in the job's context", async () => {
  const executor = threaded(`
    if (globalThis.aborted !== undefined) return globalThis.aborted;
    const { signal } = job;
    signal.addEventListener("abort", () => (globalThis.aborted = [signal.reason.cause.message, job.jobId]));
    throw new Error("no luck");
  `);
  const first = begin(executor);
  expect(await first.done).toMatchObject({ state: "error" });
  const second: JobUrn = "urn:platform:job:b";
  expect(await begin(executor, second).done).toMatchObject({ result: { json: `["no luck","${first.id}"]` } });
});
