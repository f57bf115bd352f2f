import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ValueError } from "../../../../runtime/base/errors.ts";
import { createExecutor } from "../../../../runtime/executor/job-executor.ts";
import type { Executor } from "../../../../runtime/executor/executor.ts";
import {
  getEventReporter,
  getJobContext,
  getJobId,
  type JobContext,
} from "../../../../runtime/executor/run/job-context.ts";
import type { JobOutcome, JobUrn } from "../../../../runtime/job/job.ts";
import { createMemoryStore } from "../../../../runtime/executor/store/memory/memory.ts";
import { loggingInit } from "../../../../runtime/telemetry/log/logging.ts";
import type { Tool } from "../../../../runtime/service/tools/tool.ts";
import { deferred, fakeTool } from "../../../support/fake-tool.ts";
import { loadExplainer } from "../../../../runtime/executor/run/load-explainer.ts";

// From then on a job with an illegal request ends before `start` returns.
beforeAll(async () => void (await loadExplainer()));

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "INFO", write: (line) => lines.push(line) });
});

function executorOf(...tools: Tool[]): Executor {
  return createExecutor({ tools, store: createMemoryStore() });
}

function errorOf(outcome: JobOutcome | undefined): { kind: string; message: string } {
  if (outcome === undefined || outcome.state === "succeeded") throw new Error("the job has not failed");
  return { kind: outcome.error.kind, message: outcome.error.message };
}

test("a synchronous tool has ended when start returns", () => {
  const tool = fakeTool(({ text }: { text: string }) => ({ text: text.toUpperCase() }));
  const job = executorOf(tool).start({ tool, input: { text: "hi" } });
  expect(job.state).toBe("succeeded");
  expect(job.outcome).toEqual({ state: "succeeded", result: { kind: "json", json: '{"text":"HI"}' } });
  expect(job.id).toMatch(/^urn:platform:job:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("an asynchronous tool ends later, and falsy values are results", async () => {
  for (const value of [0, "", false, null]) {
    const tool = fakeTool(async () => value);
    const job = executorOf(tool).start({ tool, input: {} });
    expect(job.state).toBe("executing");
    expect(await job.done).toEqual({ state: "succeeded", result: { kind: "json", json: JSON.stringify(value) } });
  }
});

test("an illegal request ends as failed, with all problems, before the tool is called", async () => {
  let calls = 0;
  const request = { type: "object", properties: { a: { type: "number" }, b: { type: "string" } }, required: ["b"] };
  const tool = fakeTool(() => calls++, { request });
  const { outcome } = executorOf(tool).start({ tool, input: { a: "x" } });
  expect(outcome?.state).toBe("failed");
  expect(errorOf(outcome)).toEqual({ kind: "validation", message: "The request does not match its schema." });
  expect(outcome?.state === "failed" && outcome.error.problems?.map(({ path }) => path)).toEqual(["/a", "/b"]);
  expect(calls).toBe(0);
});

test("strict refuses unknown keys, coerce reads text as numbers", async () => {
  const request = { type: "object", properties: { n: { type: "number" } } };
  const strict = fakeTool(() => 1, { name: "strict", request, options: { strict: true } });
  const coerce = fakeTool(({ n }: { n: number }) => n + 1, { name: "coerce", request, options: { coerce: true } });
  const executor = executorOf(strict, coerce);
  expect(errorOf(executor.start({ tool: strict, input: { n: 1, m: 2 } }).outcome).kind).toBe("validation");
  expect(executor.start({ tool: coerce, input: { n: "41" } }).outcome).toMatchObject({ result: { json: "42" } });
});

class Custom extends ValueError {}
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const throwing = {
  get message(): string {
    throw new Error("no");
  },
};
const shapes: readonly [string, unknown][] = [
  ["null", null],
  ["undefined", undefined],
  ["a string", "text"],
  ["a number", 0],
  ["a symbol", Symbol("s")],
  ["a bigint", 1n],
  ["a function", () => {}],
  ["a plain object", {}],
  ["an object without prototype", Object.create(null)],
  ["a revoked Proxy", revoked.proxy],
  ["a getter that throws", throwing],
  ["TypeError", new TypeError("secret")],
  ["RangeError", new RangeError("secret")],
  ["AggregateError", new AggregateError([new Error("secret")], "secret")],
  ["an error without a stack", Object.assign(new Error("secret"), { stack: undefined })],
  ["a frozen error", Object.freeze(new Error("secret"))],
  [
    "a cause that contains itself",
    (() => {
      const error = new Error("secret");
      error.cause = error;
      return error;
    })(),
  ],
  ["DOMException", new DOMException("secret", "AbortError")],
];
for (const [name, thrown] of shapes) {
  test(`thrown: ${name} is a system error with a fixed text, and logged once`, async () => {
    for (const call of [
      () => {
        throw thrown;
      },
      async () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ]) {
      lines = [];
      const tool = fakeTool(call);
      const outcome = await executorOf(tool).start({ tool, input: {} }).done;
      expect(outcome.state).toBe("error");
      expect(errorOf(outcome)).toEqual({
        kind: "system",
        message: "The tool failed. The service's log has the reason.",
      });
      await expect.poll(() => lines.length).toBe(1);
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({
        level: expect.stringMatching(/^error$/i),
        tool: "echo",
        kind: "system",
        msg: "job failed",
      });
    }
  });
}

test("ValueError and its subclasses reach the caller", async () => {
  for (const error of [new ValueError("bad"), new Custom("bad")]) {
    const tool = fakeTool(async () => {
      throw error;
    });
    const outcome = await executorOf(tool).start({ tool, input: {} }).done;
    expect(outcome.state).toBe("failed");
    expect(errorOf(outcome)).toEqual({ kind: "user-input", message: "bad" });
  }
  expect(lines).toEqual([]);
});

test("contexts of concurrent jobs do not mix, and there is none outside", async () => {
  const seen: (readonly [string, JobUrn | undefined, JobUrn])[] = [];
  const tool = fakeTool(
    async ({ text }: { text: string }, job: JobContext) => {
      await sleep(Math.random() * 5);
      seen.push([text, getJobId(), job.jobId]);
      expect(getJobContext()).toBe(job);
      expect(getEventReporter()).toBe(job.report);
    },
    { resultKind: "none" },
  );
  const executor = executorOf(tool);
  await Promise.all(Array.from({ length: 50 }, (_, at) => executor.start({ tool, input: { text: `${at}` } }).done));
  expect(seen.length).toBe(50);
  for (const [, current, given] of seen) expect(current).toBe(given);
  expect(new Set(seen.map(([, id]) => id)).size).toBe(50);
  expect([getJobId(), getJobContext(), getEventReporter()]).toEqual([undefined, undefined, undefined]);
});

test("the token is not printed", async () => {
  let printed = "";
  const { inspect } = await import("node:util");
  const tool = fakeTool((_: unknown, job: JobContext) => {
    printed = inspect(job) + JSON.stringify(job) + JSON.stringify({ ...job });
    return job.jobAuthorization === "Bearer canary";
  });
  const job = executorOf(tool).start({ tool, input: {}, authorization: "Bearer canary" });
  expect(job.outcome).toMatchObject({ result: { json: "true" } });
  expect(printed).toContain("[redacted]");
  expect(printed + inspect(job, { showHidden: true })).not.toContain("canary");
});

test("a limit of running jobs, a queue, then overloaded", async () => {
  const gates = [deferred(), deferred(), deferred(), deferred()];
  let running = 0;
  let most = 0;
  const tool = fakeTool(
    async ({ text }: { text: string }) => {
      most = Math.max(most, ++running);
      await gates[Number(text)]?.promise;
      running--;
      return text;
    },
    { options: { executorOpts: { maxWorkers: 2, queueSize: 2 }, refreshInterval: 7 } },
  );
  const executor = executorOf(tool);
  const jobs = [0, 1, 2, 3].map((at) => executor.start({ tool, input: { text: `${at}` } }));
  expect(jobs.map(({ state }) => state)).toEqual(["executing", "executing", "pending", "pending"]);
  expect(() => executor.start({ tool, input: {} })).toThrow(
    expect.objectContaining({ kind: "overloaded", retryAfter: 7, message: "The service is busy. Try again later." }),
  );
  jobs[2]?.cancel("not needed");
  expect(jobs[2]?.state).toBe("cancelled");
  gates[0]?.resolve();
  await jobs[0]?.done;
  expect(jobs[3]?.state).toBe("executing");
  gates[1]?.resolve();
  gates[3]?.resolve();
  await Promise.all(jobs.map(({ done }) => done));
  expect(most).toBe(2);
});

test("ten thousand waiting synchronous jobs do not overflow the stack", async () => {
  const gate = deferred();
  let first = true;
  const tool = fakeTool(
    () => {
      if (!first) return 1;
      first = false;
      return gate.promise;
    },
    { options: { executorOpts: { maxWorkers: 1, queueSize: 20_000 } } },
  );
  const executor = executorOf(tool);
  const jobs = Array.from({ length: 10_000 }, () => executor.start({ tool, input: {} }));
  gate.resolve();
  await Promise.all(jobs.map(({ done }) => done));
  expect(jobs.every(({ state }) => state === "succeeded")).toBe(true);
});

test("@timeout aborts the signal, ends the job and frees its place although the promise lives", async () => {
  const signals: AbortSignal[] = [];
  const tool = fakeTool(
    (_: unknown, job: JobContext) => {
      signals.push(job.signal);
      return new Promise(() => {});
    },
    { definition: { timeout: 5 }, options: { executorOpts: { maxWorkers: 1 } } },
  );
  const executor = executorOf(tool);
  const jobs = [1, 2, 3].map(() => executor.start({ tool, input: {} }));
  const outcomes = await Promise.all(jobs.map(({ done }) => done));
  expect(outcomes.map(errorOf)).toEqual(
    [1, 2, 3].map(() => ({ kind: "timeout", message: "The tool did not finish within 5 ms." })),
  );
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

test("cancelling aborts the signal; a late result is dropped", async () => {
  const gate = deferred();
  let signal: AbortSignal | undefined;
  const tool = fakeTool(async (_: unknown, job: JobContext) => {
    signal = job.signal;
    await gate.promise;
    return "late";
  });
  const job = executorOf(tool).start({ tool, input: {} });
  job.cancel("The caller cancelled the job.");
  gate.resolve();
  expect(signal?.aborted).toBe(true);
  expect(errorOf(await job.done)).toEqual({ kind: "cancelled", message: "The caller cancelled the job." });
});

test("jobs that were answered at once are kept only when the caller named them", async () => {
  const tool = fakeTool(() => 1);
  const executor = executorOf(tool);
  const anonymous = executor.start({ tool, input: {} });
  expect(await executor.find(anonymous.id)).toBe(undefined);
  const named = executor.start({ tool, input: {}, id: "urn:platform:job:mine" });
  expect((await executor.find(named.id))?.outcome).toEqual(named.outcome);
});

test("a kept job is found while it runs and after it has ended, any number of times", async () => {
  const gate = deferred();
  const tool = fakeTool(async (_: unknown, job: JobContext) => {
    job.report.stepStarted("one");
    await gate.promise;
    job.report.stepFinished("one");
    return { done: true };
  });
  const executor = executorOf(tool);
  const job = executor.start({ tool, input: {} });
  await executor.keep(job);
  expect(await executor.find(job.id)).toBe(job);
  gate.resolve();
  const outcome = await job.done;
  await expect.poll(async () => (await executor.find(job.id)) === job).toBe(false);
  for (const _ of [1, 2]) {
    const found = await executor.find(job.id);
    expect(found?.outcome).toEqual(outcome);
    const names: unknown[] = [];
    found?.onEvent(({ sequence, publicBody }) => names.push([sequence, publicBody["name"]]));
    expect(names).toEqual([
      [1, "one"],
      [2, "one"],
    ]);
  }
});

test("a known id or idempotency key attaches; another body or tool is a conflict", async () => {
  const gate = deferred();
  let calls = 0;
  const tool = fakeTool(async () => {
    calls++;
    await gate.promise;
    return calls;
  });
  const other = fakeTool(() => 0, { name: "other" });
  const executor = executorOf(tool, other);
  const id = "urn:platform:job:a" as const;
  const first = executor.start({ tool, input: {}, id });
  expect(executor.start({ tool, input: {}, id })).toBe(first);
  expect(() => executor.start({ tool: other, input: {}, id })).toThrow(
    expect.objectContaining({ kind: "idempotency-conflict" }),
  );
  const idempotency = { key: "k", digest: "d" };
  const keyed = executor.start({ tool, input: {}, idempotency });
  expect(executor.start({ tool, input: {}, idempotency })).toBe(keyed);
  expect(() => executor.start({ tool, input: {}, idempotency: { key: "k", digest: "e" } })).toThrow(
    expect.objectContaining({ kind: "idempotency-conflict" }),
  );
  gate.resolve();
  await Promise.all([first.done, keyed.done]);
  expect(calls).toBe(2);
  const again = executor.start({ tool, input: {}, idempotency });
  expect(again.id).toBe(keyed.id);
  expect(again.outcome).toEqual(keyed.outcome);
  expect(executor.start({ tool, input: {}, id }).outcome).toEqual(first.outcome);
  expect(calls).toBe(2);
});

test("the stream of a kept job is collected, so that it can be read again", async () => {
  const { BinaryResult } = await import("../../../../runtime/job/binary-result.ts");
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("ab");
    yield Buffer.from("c");
  }
  const tool = fakeTool(() => new BinaryResult("image/png", chunks()), { resultKind: "binary" });
  const executor = executorOf(tool);
  const job = executor.start({ tool, input: {}, id: "urn:platform:job:s" });
  expect(await job.done).toEqual({
    state: "succeeded",
    result: { kind: "binary", contentType: "image/png", content: Buffer.from("abc") },
  });
});

test("drain: a job that ends by its signal is a warning without a stack, since it has not failed", async () => {
  const tool = fakeTool(
    (_: unknown, { signal }: JobContext) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  );
  const executor = executorOf(tool);
  const job = executor.start({ tool, input: {} });
  await executor.drain(0);
  expect(errorOf(job.outcome).kind).toBe("draining");
  await expect
    .poll(() => lines.map((line) => JSON.parse(line) as object))
    .toEqual([expect.objectContaining({ level: "WARNING", msg: "job stopped with the service" })]);
  expect(lines.join("")).not.toContain("stack");
});

test("drain: no new jobs, running ones get the grace, the rest are aborted", async () => {
  const gate = deferred();
  let signal: AbortSignal | undefined;
  const quick = fakeTool(async () => gate.promise.then(() => 1), { name: "quick" });
  const stuck = fakeTool(
    (_: unknown, job: JobContext) => {
      ({ signal } = job);
      return new Promise(() => {});
    },
    { name: "stuck" },
  );
  const executor = executorOf(quick, stuck);
  const one = executor.start({ tool: quick, input: {} });
  const two = executor.start({ tool: stuck, input: {} });
  const drained = executor.drain(20);
  expect(() => executor.start({ tool: quick, input: {} })).toThrow(
    expect.objectContaining({ kind: "draining", retryAfter: 1 }),
  );
  gate.resolve();
  expect((await one.done).state).toBe("succeeded");
  expect(await drained).toBe(1);
  expect(errorOf(two.outcome).kind).toBe("draining");
  expect(signal?.aborted).toBe(true);
});
