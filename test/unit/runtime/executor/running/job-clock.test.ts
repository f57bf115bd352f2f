import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { JobOutcome } from "../../../../../runtime/job/job.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

beforeAll(async () => {
  loggingInit({ level: "CRITICAL" });
  await loadKept();
});

const timeout = 1000;

/** Loads the code of sleeps and tries, which takes longer than the timeout on a busy machine. */
async function warmUp(): Promise<void> {
  let runs = 0;
  const once = (job: JobContext): Promise<void> => {
    if (++runs === 1) throw new Error("once more");
    return job.sleep("0.01s");
  };
  await run(once, { timeout: 60_000, retry: { attempts: 2, from: 1, to: 1 } });
}

function run(body: (job: JobContext) => unknown, more: Partial<ToolDefinition> = {}): Promise<JobOutcome> {
  const tool = fakeTool((_, job) => body(job), { definition: { durable: true, timeout, ...more } });
  const executor = createExecutor({ tools: [tool], store: createMemoryStore() });
  onTestFinished(async () => void (await executor.drain(0)));
  return executor.start({ tool, input: {} }).done;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const timedOut = { state: "error", error: { kind: "timeout" } };

test("the clock stands still while the job waits in its process, and goes on behind the wait", async () => {
  await warmUp();
  const sleep = (job: JobContext): Promise<void> => job.sleep("1.5s");
  const outcomes = await Promise.all([
    run((job) => sleep(job).then(() => "one")),
    run((job) => Promise.all([sleep(job), job.sleep("0.2s")]).then(() => "both")),
    run((job) => sleep(job).then(() => pause(60_000))),
    // A step that runs beside the wait counts.
    run((job) =>
      Promise.all([sleep(job), (job.step as (...args: unknown[]) => unknown)("s", {}, () => pause(60_000), {})]),
    ),
  ]);
  expect(outcomes).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }, timedOut, timedOut]);
});

test("each run of a function has the whole time, and the pauses between them do not count", async () => {
  await warmUp();
  const retry = { attempts: 4, from: 600, to: 600 };
  let [runs, stuck] = [0, 0];
  const outcomes = await Promise.all([
    run(
      async () => {
        await pause(400);
        if (++runs < 4) throw new Error("once more");
      },
      { retry },
    ),
    run(
      () => {
        if (++stuck === 1) throw new Error("once more");
        return pause(60_000);
      },
      { retry },
    ),
  ]);
  expect(outcomes).toMatchObject([{ state: "succeeded" }, timedOut]);
  expect([runs, stuck]).toEqual([4, 2]);
});
