import { AsyncResource } from "node:async_hooks";
import { expect, onTestFinished, test } from "vitest";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { installStrayErrorHandlers } from "../../../../../runtime/executor/run/stray-errors.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { Job } from "../../../../../runtime/job/job.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

type Throw = (error: Error) => void;
interface Scene {
  readonly job: Job;
  readonly messages: () => Promise<unknown[]>;
}

/** A job of a tool with `@retry`; its runs get a function that throws in the job's context as a timer does. */
function scene(run: (stray: Throw, count: number) => Promise<string>): Scene {
  const logs: string[] = [];
  loggingInit({ level: "ERROR", write: (line) => logs.push(line) });
  const remove = installStrayErrorHandlers(() => {});
  const handler = process.listeners("uncaughtException").at(-1);
  let count = 0;
  const tool = fakeTool(
    () =>
      run(
        AsyncResource.bind((error: Error) => handler?.(error, "uncaughtException")),
        ++count,
      ),
    { definition: { retry: { attempts: 3, from: 50, to: 50 } }, resultKind: "text" },
  );
  const executor = createExecutor({ tools: [tool], store: createMemoryStore() });
  onTestFinished(async () => {
    remove();
    await executor.drain(0);
  });
  return {
    job: executor.start({ tool, input: {} }),
    messages: async () => {
      await flushLogs();
      return logs.map((line) => JSON.parse(line)).map(({ msg, error }) => [msg, error.message]);
    },
  };
}

test("an exception in a timer ends a job with @retry: another run would run beside the rest of this one", async () => {
  let runs = 0;
  const { promise, reject } = Promise.withResolvers<string>();
  const { job, messages } = scene(async (stray, count) => {
    runs = count;
    if (count === 1) setImmediate(stray, new Error("stray"));
    return promise;
  });
  expect(await job.done).toMatchObject({ state: "error", error: { kind: "system", cause: { message: "stray" } } });
  reject(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([runs, await messages()]).toEqual([1, [["job failed", "stray"]]]);
});

test("a late exception of a run that has failed is logged, and the job is tried again once", async () => {
  const { job, messages } = scene(async (stray, count) => {
    if (count > 1) return `run ${count}`;
    setImmediate(stray, new Error("stray"));
    throw new Error("once more");
  });
  expect(await job.done).toEqual({ state: "succeeded", result: { kind: "text", text: "run 2" } });
  expect(await messages()).toEqual([["uncaught exception after the job had ended", "stray"]]);
});
