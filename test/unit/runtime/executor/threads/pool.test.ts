import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import type { Job } from "../../../../../runtime/job/job.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { Tool } from "../../../../../runtime/service/tools/tool.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const key = Symbol.for("tenon.entry");
const tool = fakeTool(() => "in the main thread", {
  definition: { thread: true },
  resultKind: "text",
  options: { executorOpts: { maxWorkers: 2 } },
});

interface Scene {
  readonly executor: Executor;
  readonly logs: string[];
  start(): Job;
}

/** An executor whose threads run the given text as the entry of a service. */
function scene(entry: string | undefined, own: Tool = tool): Scene {
  const logs: string[] = [];
  loggingInit({ write: (line) => logs.push(line) });
  if (entry !== undefined)
    Reflect.set(globalThis, key, pathToFileURL(join(temporaryFolder({ "entry.mjs": entry }), "entry.mjs")).href);
  const executor = createExecutor({ tools: [own], store: createMemoryStore() });
  Reflect.deleteProperty(globalThis, key);
  onTestFinished(async () => void (await executor.drain(0)));
  return { executor, logs, start: () => executor.start({ tool: own, input: {} }) };
}

/** An entry that says that it is loaded by a file, and is ready once there is another. */
const answering = (loaded: string, open: string): string => `
  import { existsSync, writeFileSync } from "node:fs";
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ kind, id }) => kind === "run" && parentPort.postMessage({ kind: "succeeded", result: { kind: "text", text: id } }));
  writeFileSync(${JSON.stringify(loaded)}, "");
  while (!existsSync(${JSON.stringify(open)})) await new Promise((resolve) => setTimeout(resolve, 5));
  parentPort.postMessage({ kind: "ready" });
`;

test.each([
  ["throws", "throw new Error('broken at load');", "broken at load"],
  ["does not parse", "this is no JavaScript", "Unexpected"],
  ["ends without a start call", "export {};", "process.exit(0)"],
])("an entry that %s costs the jobs that wait, each once, and no endless row of threads", async (_, entry, reason) => {
  const { start, logs } = scene(entry);
  const jobs = [start(), start(), start()];
  const outcomes = await Promise.all(jobs.map(({ done }) => done));
  expect(outcomes.map(({ state }) => state)).toEqual(["error", "error", "error"]);
  await flushLogs();
  expect(logs.filter((line) => line.includes(reason)).length).toBe(3);
});

test("the time of `@timeout` does not pass while a job waits for a thread", async () => {
  const [loaded, open] = [join(temporaryFolder(), "loaded"), join(temporaryFolder(), "open")];
  const { start } = scene(answering(loaded, open), { ...tool, definition: { ...tool.definition, timeout: 1000 } });
  const job = start();
  await expect.poll(() => existsSync(loaded)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  writeFileSync(open, "");
  expect(await job.done).toMatchObject({ state: "succeeded" });
});

test("a job that is cancelled while its thread starts is never given to it; the next one is", async () => {
  const [loaded, open] = [join(temporaryFolder(), "loaded"), join(temporaryFolder(), "open")];
  const { start } = scene(answering(loaded, open));
  const cancelled = [start(), start()];
  await expect.poll(() => existsSync(loaded)).toBe(true);
  for (const job of cancelled) job.cancel("no longer");
  writeFileSync(open, "");
  expect((await Promise.all(cancelled.map(({ done }) => done))).map(({ state }) => state)).toEqual([
    "cancelled",
    "cancelled",
  ]);
  const next = start();
  expect(await next.done).toEqual({ state: "succeeded", result: { kind: "text", text: next.id } });
});

test("what a thread failed with is logged with the job's ids, and without its token", async () => {
  const { executor, logs } = scene(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ authorization }) => {
      const cause = { type: "Error", message: "bad: " + authorization.slice(7), stack: "at " + authorization.slice(7) };
      parentPort.postMessage({ kind: "failed", error: { kind: "system", message: "m", cause } });
    });
    parentPort.postMessage({ kind: "ready" });
  `);
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const job = executor.start({ tool, input: {}, authorization: "Bearer CANARY-token", traceparent });
  expect(await job.done).toMatchObject({ state: "error" });
  await flushLogs();
  expect(logs.map((line) => JSON.parse(line)).filter((line) => line.job_id === job.id)).toMatchObject([
    { tool: tool.name, trace_id: "a".repeat(32), error: { message: "bad: [redacted]" } },
  ]);
  expect(logs.join()).not.toContain("CANARY");
});

test("more jobs than threads: each gets its own answer", async () => {
  const [loaded, open] = [join(temporaryFolder(), "loaded"), join(temporaryFolder(), "open")];
  const { start } = scene(answering(loaded, open));
  const jobs = Array.from({ length: 20 }, start);
  writeFileSync(open, "");
  const outcomes = await Promise.all(jobs.map(({ done }) => done));
  expect(outcomes).toEqual(jobs.map(({ id }) => ({ state: "succeeded", result: { kind: "text", text: id } })));
});

test("cancellations at any moment cost nobody else his answer", async () => {
  const { start } = scene(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ kind, id }) => {
      if (kind === "abort") parentPort.postMessage({ kind: "heard" });
      else setTimeout(() => parentPort.postMessage({ kind: "succeeded", result: { kind: "text", text: id } }), id.charCodeAt(id.length - 1) % 5);
    });
    parentPort.postMessage({ kind: "ready" });
  `);
  let seed = 1;
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const jobs: Job[] = [];
  for (let n = 0; n < 300; n++) {
    const job = start();
    jobs.push(job);
    if (random() < 0.4) setTimeout(() => job.cancel("no longer"), random() * 8);
    await new Promise((resolve) => setTimeout(resolve, random() * 3));
  }
  const outcomes = await Promise.all(jobs.map(({ done }) => done));
  const texts = outcomes.map((outcome, n) => {
    const isOwn =
      outcome.state === "succeeded" && outcome.result.kind === "text" && outcome.result.text === jobs[n]?.id;
    return isOwn ? "own answer" : outcome.state;
  });
  expect(new Set(texts)).toEqual(new Set(["own answer", "cancelled"]));
  expect(texts.filter((text) => text === "own answer").length).toBeGreaterThan(150);
});

test("a drain ends jobs in threads that do not hear", async () => {
  const { start, executor } = scene(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => {
      parentPort.postMessage({ kind: "event", schema: "urn:test:began.1", fields: {}, internal: false });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
    parentPort.postMessage({ kind: "ready" });
  `);
  const job = start();
  await new Promise<unknown>((resolve) => job.onEvent(resolve));
  // By itself the job never ends.
  await executor.drain(0);
  expect(await job.done).toMatchObject({ state: "error", error: { kind: "draining" } });
});

test("not built with the plugin: one warning, and the job runs in the main thread", async () => {
  const { start, logs } = scene(undefined);
  expect(await start().done).toEqual({ state: "succeeded", result: { kind: "text", text: "in the main thread" } });
  await flushLogs();
  expect(logs.map((line) => JSON.parse(line).msg).filter((text) => text.startsWith(tool.name))).toEqual([
    "echo: @thread has no effect, because the service was not built with tenon's plugin.",
  ]);
});

test("a job that the platform gives again goes on under its new token in its thread, too", async () => {
  const { executor } = scene(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ kind, authorization }) => {
      if (kind === "run") parentPort.postMessage({ kind: "event", schema: "urn:test:began.1", fields: {}, internal: false });
      if (kind === "grant") parentPort.postMessage({ kind: "succeeded", result: { kind: "text", text: authorization } });
    });
    parentPort.postMessage({ kind: "ready" });
  `);
  const job = executor.start({ tool, input: {}, authorization: "Bearer first" });
  const stop = job.onEvent(() => {
    stop();
    job.moveTo?.({ authorization: "Bearer second", attempt: undefined });
  });
  expect(await job.done).toEqual({ state: "succeeded", result: { kind: "text", text: "Bearer second" } });
});
