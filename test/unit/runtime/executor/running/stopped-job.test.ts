import { beforeEach, expect, test } from "vitest";
import type { ToolError } from "../../../../../runtime/base/errors.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { getJobId, type JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { currentJob } from "../../../../../runtime/job/current-job.ts";
import type { Job } from "../../../../../runtime/job/job.ts";
import type { Tool } from "../../../../../runtime/service/tools/tool.ts";
import { getLogger, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "INFO", write: (line) => lines.push(line) });
});

interface Seen {
  readonly id: string | undefined;
  readonly token: string | undefined;
  readonly reason: string;
}

/** A job that waits until it is stopped, and notes in which job its abort listener runs. */
function waiting(definition: Partial<Tool["definition"]> = {}): {
  job: Job;
  seen: Seen[];
  drain: () => Promise<number>;
} {
  const seen: Seen[] = [];
  const wait = (_request: object, { signal, report }: JobContext): Promise<void> => {
    const stopped = deferred();
    signal.addEventListener("abort", () => {
      const { message: reason } = signal.reason as ToolError;
      seen.push({ id: getJobId(), token: currentJob.getStore()?.authorization, reason });
      getLogger("tidy").info("tidied up");
      stopped.reject(signal.reason as Error);
    });
    report.stepStarted("outer");
    report.stepStarted("done");
    report.stepFinished("done");
    return report.step("inner", async (step) => {
      step.info({ progress: 1 });
      await stopped.promise;
    });
  };
  const tool = fakeTool(wait, { name: "wait", definition });
  const executor = createExecutor({ tools: [tool], store: createMemoryStore() });
  const job = executor.start({ tool, input: {}, authorization: "Bearer of-the-job" });
  return { job, seen, drain: () => executor.drain(0) };
}

function log(text: string): readonly unknown[] {
  return lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === text);
}

test("a listener of the signal runs in its job, whoever cancels, and open steps end with an error first", async () => {
  const { job, seen } = waiting();
  const events: unknown[] = [];
  job.onEvent(({ publicBody: { $schema, name, context, error } }) => {
    events.push([String($schema).replace(/.*event\.|\.1$/g, ""), name ?? context, error]);
  });
  job.onEnd(({ state }) => events.push(state));
  const other = fakeTool(() => job.cancel("The caller has left."), { name: "other" });
  createExecutor({ tools: [other], store: createMemoryStore() }).start({ tool: other, input: {} });
  expect(seen).toEqual([{ id: job.id, token: "Bearer of-the-job", reason: "The caller has left." }]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual([
    ["step.start", "outer", undefined],
    ["step.start", "done", undefined],
    ["step.finish", "done", undefined],
    ["step.start", "inner", undefined],
    ["generic", "inner", undefined],
    ["step.error", "inner", "The caller has left."],
    ["step.error", "outer", "The caller has left."],
    "cancelled",
  ]);
  await expect.poll(() => log("tidied up")).toMatchObject([{ job_id: job.id, tool: "wait" }]);
});

test("a listener runs in its job when the service stops", async () => {
  const { job, seen, drain } = waiting();
  await drain();
  expect(seen).toEqual([
    { id: job.id, token: "Bearer of-the-job", reason: "The service stopped before the job had ended." },
  ]);
});

test("a time-out leaves one warning, with job and tool", async () => {
  const { job, seen } = waiting({ timeout: 20 });
  expect(await job.done).toMatchObject({ state: "error", error: { kind: "timeout" } });
  expect(seen).toMatchObject([{ id: job.id }]);
  await expect
    .poll(() => log("job timed out"))
    .toMatchObject([{ level: "WARNING", job_id: job.id, tool: "wait", seconds: 0.02 }]);
  const told = lines.map((line) => JSON.parse(line) as { level: string; job_id: string });
  expect(told.filter(({ level, job_id }) => level !== "INFO" && job_id === job.id)).toEqual([expect.anything()]);
});
