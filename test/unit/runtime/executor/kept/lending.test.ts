import { hostname } from "node:os";
import { expect, test } from "vitest";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { mayLend, mayRepeat, mayRunElsewhere, workerName } from "../../../../../runtime/executor/kept/lending.ts";
import type { RunningJob } from "../../../../../runtime/executor/running/running-job.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import type { JobOutcome } from "../../../../../runtime/job/job.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

const shared = { isShared: true } as JobStore;
const own = createMemoryStore();
/** A store of one process that outlives it. */
const lasting = { deadLetters: () => [], redrive: () => "ok", lose: () => "ok" } as unknown as JobStore;

function toolOf(definition: Partial<ToolDefinition> = {}): RunningJob["tool"] {
  return fakeTool(() => 1, { definition });
}

function jobOf(parts: object): RunningJob {
  return { submission: {}, kept: false, began: false, hasKept: false, tool: toolOf(), ...parts } as RunningJob;
}

const idempotent = toolOf({ annotations: { idempotentHint: true } });
const durable = toolOf({ durable: true });
const draining: JobOutcome = { state: "error", error: new ToolError("draining", "The service is stopping.") };

test("a worker has the name of its host where replicas share the store", () => {
  expect([workerName(shared), workerName(own)]).toEqual([hostname(), undefined]);
});

test.each([
  ["a job that waits", {}, true],
  ["one whose client can be asked here alone", { submission: { client: {} } }, false],
  ["one with the platform's token", { submission: { authorization: "Bearer x" } }, false],
  ["one that is stored already", { kept: true }, false],
  ["one that has begun", { began: true }, false],
])("lent to other replicas: %s (%o): %s", (_, parts, isLent) => {
  expect([mayLend(shared, jobOf(parts)), mayLend(own, jobOf(parts))]).toEqual([isLent, false]);
});

test("only idempotent tools and those with stored steps run again", () => {
  const never = toolOf({ annotations: { idempotentHint: false } });
  expect([toolOf(), never, idempotent, durable].map(mayRepeat)).toEqual([false, false, true, true]);
});

test.each([
  ["a job that has not begun", {}, [true, false, false]],
  ["one that has begun", { began: true }, [false, false, false]],
  ["an idempotent one that has begun", { began: true, tool: idempotent }, [true, false, false]],
  ["a durable one", { began: true, tool: durable }, [true, false, true]],
  ["one with stored steps", { began: true, hasKept: true }, [false, false, true]],
])(
  "given up at a shutdown, %s runs elsewhere where replicas share the store, in memory, in a file",
  (_, parts, may) => {
    const job = jobOf(parts);
    expect([shared, own, lasting].map((store) => mayRunElsewhere(store, job, draining))).toEqual(may);
    for (const outcome of [
      { state: "error", error: new ToolError("system", "It failed.") },
      { state: "cancelled", error: new ToolError("draining", "odd") },
      { state: "succeeded", result: { kind: "json", json: "1" } },
    ] satisfies JobOutcome[])
      expect(mayRunElsewhere(shared, job, outcome)).toBe(false);
  },
);
