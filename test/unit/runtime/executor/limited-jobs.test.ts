import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { LimitDefinition, ToolDefinition } from "../../../../runtime/contract/contract.ts";
import type { Executor } from "../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../runtime/executor/job-executor.ts";
import type { JobContext } from "../../../../runtime/executor/run/job-context.ts";
import { createMemoryStore } from "../../../../runtime/executor/store/memory/memory.ts";
import type { Job, Submission } from "../../../../runtime/job/job.ts";
import { byHeadStart, headStartOf } from "../../../../runtime/job/limits/head-start.ts";
import { limitsOf } from "../../../../runtime/job/limits/limits-of.ts";
import type { ToolOptions } from "../../../../runtime/service/tools/tool-options.ts";
import type { Tool } from "../../../../runtime/service/tools/tool.ts";
import { flushLogs, loggingInit } from "../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../support/fake-tool.ts";
import { sqlitePlace } from "./store/sqlite-place.ts";

beforeAll(() => loggingInit({ level: "CRITICAL" }));

const executors: Executor[] = [];
let running: Map<string, () => void>;
let began: string[];
let most: number;
beforeEach(() => {
  running = new Map();
  began = [];
  most = 0;
});
afterEach(async () => {
  for (const end of running.values()) end();
  for (const executor of executors.splice(0)) await executor.drain(0);
});

function limited(limit: Partial<LimitDefinition>): { tool: Tool; executor: Executor } {
  return lined({ limit: { jobs: 1, beyond: "wait", ...limit } });
}

/** A tool whose jobs run until they are told to end, by their name. */
function lined(definition: Partial<ToolDefinition>, options: ToolOptions = {}): { tool: Tool; executor: Executor } {
  const run = async (request: unknown, job: JobContext): Promise<string> => {
    const { name } = request as { name: string };
    began.push(name);
    await new Promise<void>((resolve) => {
      running.set(name, resolve);
      most = Math.max(most, running.size);
      job.signal.addEventListener("abort", () => resolve());
    });
    running.delete(name);
    return name;
  };
  const plain = fakeTool(run, { definition, options });
  const tool: Tool = { ...plain, functions: { ...plain.functions, limits: limitsOf as never } };
  const executor = createExecutor({ tools: [tool], store: createMemoryStore(), every: () => () => {} });
  executors.push(executor);
  return { tool, executor };
}

function end(name: string): void {
  running.get(name)?.();
}

const outcomeOf = async (job: Job): Promise<unknown> => {
  const outcome = await job.done;
  return outcome.state === "succeeded" ? outcome.result : outcome.error.kind;
};
const said = (name: string): unknown => ({ kind: "json", json: JSON.stringify(name) });

describe("a tool with a limit", () => {
  test("runs as many jobs of a key at a time, in their order, also those that are answered at once", async () => {
    const { tool, executor } = limited({ per: "request.account" });
    const start = (name: string, account: string, more: Partial<Submission> = {}): Job =>
      executor.start({ tool, input: { name, account }, ...more });
    const jobs = ["a", "b", "c"].map((name) => start(name, "x"));
    const other = start("other", "y");
    await expect.poll(() => began).toEqual(["a", "other"]);
    await expect
      .poll(() => jobs.map((job) => job.waitsFor))
      .toEqual([undefined, { limit: "account", ahead: 0 }, { limit: "account", ahead: 1 }]);
    for (const name of ["a", "other", "b"]) {
      end(name);
      await expect.poll(() => running.has(name)).toBe(false);
    }
    await expect.poll(() => began).toEqual(["a", "other", "b", "c"]);
    end("c");
    expect(await Promise.all([...jobs, other].map(outcomeOf))).toEqual(["a", "b", "c", "other"].map(said));
    expect(most).toBe(2);
  });

  test("tells a caller who asks later that its job runs", async () => {
    const { tool, executor } = limited({});
    executor.start({ tool, input: { name: "a" } });
    const job = executor.start({ tool, input: { name: "b" } });
    await expect.poll(() => job.waitsFor).toMatchObject({ ahead: 0 });
    end("a");
    await expect.poll(() => began).toEqual(["a", "b"]);
    await executor.keep(job);
    expect([job.state, job.waitsFor]).toEqual(["executing", undefined]);
  });

  test("reads the key of a call once, since that validates the request", async () => {
    const { tool, executor } = limited({});
    const read: unknown[] = [];
    const limits = (of: Tool, call: Submission): unknown => {
      read.push((call.input as { readonly name: string }).name);
      return limitsOf(of, call);
    };
    Object.assign(tool.functions, { limits });
    const start = (name: string): Job => executor.start({ tool, input: { name } });
    start("a");
    await expect.poll(() => began).toEqual(["a"]);
    const waits = start("b");
    await expect.poll(() => waits.waitsFor).toMatchObject({ ahead: 0 });
    expect(read).toEqual(["a", "b"]);
  });

  test("counts the jobs of callers apart, and those without one together", async () => {
    const { tool, executor } = limited({ per: "caller" });
    const caller = { subject: "anna", scopes: [], claims: {} };
    executor.start({ tool, input: { name: "anna" }, caller });
    executor.start({ tool, input: { name: "nobody" } });
    await expect.poll(() => began).toEqual(["anna", "nobody"]);
    executor.start({ tool, input: { name: "anna 2" }, caller });
    executor.start({ tool, input: { name: "nobody 2" } });
    end("anna");
    await expect.poll(() => began).toEqual(["anna", "nobody", "anna 2"]);
  });

  test("refuses with a time to come again", async () => {
    const { tool, executor } = limited({ beyond: "refuse" });
    const first = executor.start({ tool, input: { name: "a" } });
    await expect.poll(() => began).toEqual(["a"]);
    const error = { kind: "too-many-requests", retryAfter: 3 };
    expect(() => executor.start({ tool, input: { name: "b" } })).toThrow(expect.objectContaining(error));
    end("a");
    expect(await outcomeOf(first)).toEqual(said("a"));
    const next = executor.start({ tool, input: { name: "c" } });
    await expect.poll(() => began).toEqual(["a", "c"]);
    end("c");
    expect(await outcomeOf(next)).toEqual(said("c"));
  });

  test("refuses in a store that answers later, too: the caller's job fails, and the log has no fault", async () => {
    const lines: string[] = [];
    loggingInit({ level: "WARNING", write: (line) => lines.push(line) });
    const { tool } = limited({ beyond: "refuse" });
    const place = sqlitePlace();
    const store = place.open();
    onTestFinished(async () => {
      await store.close();
      place.remove();
    });
    const executor = createExecutor({ tools: [tool], store, every: () => () => {} });
    executors.push(executor);
    onTestFinished(() => end("a"));
    executor.start({ tool, input: { name: "a" } });
    await expect.poll(() => began, { timeout: 5000 }).toEqual(["a"]);
    const refused = executor.start({ tool, input: { name: "b" } });
    expect(await refused.done).toMatchObject({
      state: "failed",
      error: { kind: "too-many-requests", retryAfter: 3 },
    });
    await flushLogs();
    loggingInit({ level: "CRITICAL" });
    expect(lines).toEqual([]);
  });

  test("replaces: the older job is cancelled", async () => {
    const { tool, executor } = limited({ beyond: "replace" });
    const first = executor.start({ tool, input: { name: "a" } });
    await expect.poll(() => began).toEqual(["a"]);
    executor.start({ tool, input: { name: "b" } });
    await expect.poll(() => began).toEqual(["a", "b"]);
    const record = await executor.store.get(first.id);
    expect(record?.outcome).toMatchObject({ state: "cancelled", error: { message: /took its place/ } });
    // Its function is told at once, not when its lease is renewed.
    await expect.poll(() => [...running.keys()]).toEqual(["b"]);
  });

  test("passes the events of a job that had to wait on to its caller, from whichever moment on it listens", async () => {
    const run = async (_: unknown, job: JobContext): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      job.report.stepStarted("work");
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const plain = fakeTool(run, { definition: { limit: { jobs: 1, beyond: "wait" } } });
    const tool: Tool = { ...plain, functions: { ...plain.functions, limits: limitsOf as never } };
    const executor = createExecutor({ tools: [tool], store: createMemoryStore() });
    executors.push(executor);
    const seen: string[] = [];
    const jobs = ["first", "second"].map((name) => {
      const job = executor.start({ tool, input: {} });
      job.onEvent(() => seen.push(name));
      return job;
    });
    await expect.poll(() => jobs[1]?.waitsFor).toBeDefined();
    const stop = jobs[1]?.onEvent(() => seen.push("stopped"));
    jobs[1]?.onEvent(() => seen.push("late"));
    stop?.();
    await Promise.all(jobs.map(({ done }) => done));
    expect(seen.toSorted()).toEqual(["first", "late", "second"]);
  });

  test("forgets a job whose caller has left before its turn, and one that has a name is kept", async () => {
    const { tool, executor } = limited({});
    executor.start({ tool, input: { name: "a" } });
    await expect.poll(() => began).toEqual(["a"]);
    const left = executor.start({ tool, input: { name: "left" } });
    const named = executor.start({ tool, input: { name: "named" }, id: "urn:platform:job:named" });
    await expect.poll(() => [left.waitsFor, named.waitsFor]).toMatchObject([{ ahead: 0 }, { ahead: 1 }]);
    left.cancel("The client left.");
    await expect.poll(async () => (await executor.store.get(left.id))?.state).toBe("cancelled");
    end("a");
    await expect.poll(() => began).toEqual(["a", "named"]);
  });

  test("refuses calls when its queue is full, also those that come at once, and takes them when there is room", async () => {
    const { tool, executor } = lined(
      { limit: { jobs: 1, beyond: "wait" } },
      { executorOpts: { maxWorkers: 2, queueSize: 1 } },
    );
    const start = (name: string): Job => executor.start({ tool, input: { name } });
    for (const name of ["a", "b", "c"]) start(name);
    const full = expect.objectContaining({ kind: "overloaded" });
    expect(() => start("d")).toThrow(full);
    for (const [name, next] of [
      ["a", "b"],
      ["b", "c"],
    ] as const) {
      await expect.poll(() => began.at(-1)).toBe(name);
      expect(() => start("e")).toThrow(full);
      end(name);
      await expect.poll(() => began.at(-1)).toBe(next);
      start(`behind ${name}`);
    }
  });

  test("has room for a backlog of ten thousand calls, so that one key refuses no other", () => {
    const { tool, executor } = lined({ limit: { jobs: 1, beyond: "wait" } }, { executorOpts: { maxWorkers: 1 } });
    for (let n = 0; n <= 10_000; n++) executor.start({ tool, input: { name: `${n}` } });
    expect(() => executor.start({ tool, input: { name: "d" } })).toThrow("The service is busy.");
  });

  test("has room for other keys behind the backlog of one, up to twice the queue", async () => {
    const limit = { jobs: 1, per: "request.name", beyond: "wait" } as const;
    const { tool, executor } = lined({ limit }, { executorOpts: { maxWorkers: 1, queueSize: 20 } });
    const start = (name: string): Job => executor.start({ tool, input: { name } });
    for (let n = 0; n < 21; n++) start("busy");
    expect(() => start("busy")).toThrow("The service is busy.");
    // A tenth of the places for each.
    for (const name of ["one", "one", "other"]) start(name);
    expect(() => start("one")).toThrow("The service is busy.");
    for (let n = 0; n < 17; n++) start(`${n}`);
    expect(() => start("late")).toThrow("The service is busy.");
    await expect.poll(() => began).toEqual(["busy"]);
    end("busy");
    await expect.poll(() => began.length).toBe(2);
    start("late");
  });

  test("counts the calls that have joined a job as one", async () => {
    const { tool, executor } = lined({ debounce: { seconds: 0.3 } }, { executorOpts: { maxWorkers: 1, queueSize: 1 } });
    const jobs: Job[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      jobs.push(executor.start({ tool, input: { name } }));
      await expect.poll(() => jobs.at(-1)?.waitsFor).toBeDefined();
    }
    await expect.poll(() => began).toEqual(["d"]);
  });

  test("forgets a job whose caller has left before the store has answered", async () => {
    const { tool, executor } = limited({});
    executor.start({ tool, input: { name: "a" } });
    await expect.poll(() => began).toEqual(["a"]);
    const left = executor.start({ tool, input: { name: "left" } });
    left.cancel("The client left.");
    await expect.poll(async () => (await executor.store.get(left.id))?.state).toBe("cancelled");
  });

  test.each([
    ["a job that was promised", {}, true, "pending"],
    ["one of a tool with `@keep`", { keep: true }, false, "pending"],
    ["one whose caller only waits", {}, false, "cancelled"],
  ] as const)("leaves to the store at a shutdown what others may ask for: %s", async (_, more, isPromised, state) => {
    const { tool, executor } = lined({ limit: { jobs: 1, beyond: "wait" }, ...more });
    executor.start({ tool, input: { name: "a" } });
    await expect.poll(() => began).toEqual(["a"]);
    const job = executor.start({ tool, input: { name: "b" } });
    if (isPromised) await executor.keep(job);
    await expect.poll(() => job.waitsFor).toBeDefined();
    await executor.drain(0);
    expect((await executor.store.get(job.id))?.state).toBe(state);
  });

  test("lets a request through that has no key: it does not fit its schema, and ends at once", async () => {
    const { tool, executor } = limited({ per: "request.account" });
    for (const account of [undefined, {}, ["x"]]) executor.start({ tool, input: { name: String(account), account } });
    await expect.poll(() => began).toHaveLength(3);
  });
});

describe("the key of a limit", () => {
  const keyOf = (value: unknown, isNumber = false): string | undefined =>
    limitsOf(limited({ per: "request.deep.account" }).tool, { input: { deep: { account: value } } }, isNumber).limit
      ?.key;

  test("is one text for one value, whatever is in it", () => {
    const values = ["", "x", "X", " x", '"x"', "x\u0000", "\ud800", "\udfff", "__proto__", "null", "1\n", "a b", null];
    const keys = values.map((value) => keyOf(value));
    expect(new Set(keys).size).toBe(values.length);
    expect(keys.every((key) => key?.isWellFormed() === true && !key.includes("\u0000"))).toBe(true);
    expect(keyOf("x".repeat(10_000))).toMatch(/sha256:[0-9a-f]{64}$/);
    expect(keyOf("x".repeat(10_000))).not.toBe(keyOf("x".repeat(9_999)));
    expect(keyOf(`sha256:${"0".repeat(64)}`)).toMatch(/ "sha256:0+"$/);
    expect(Buffer.byteLength(keyOf("\u{1f600}".repeat(5000)) ?? "")).toBeLessThan(200);
  });

  test("is the number that a text stands for where the field is a number", () => {
    expect([5, "5", "5.0", " 5 "].map((value) => keyOf(value, true))).toEqual(Array(4).fill(keyOf(5)));
    expect(keyOf("5.0")).not.toBe(keyOf("5"));
    expect(keyOf("", true)).not.toBe(keyOf(0, true));
    expect(keyOf("many", true)).toBe(keyOf("many"));
  });

  test("starts by a rate one after the other, and says when", async () => {
    const rate = { starts: 5, each: "s", burst: 1, beyond: "wait" } as const;
    const { tool, executor } = lined({ rate });
    const begun = performance.now();
    const jobs = ["a", "b", "c"].map((name) => executor.start({ tool, input: { name } }));
    await expect.poll(() => jobs[2]?.waitsFor).toMatchObject({ ahead: 1, time: expect.any(String) as string });
    await expect.poll(() => began).toContain("c");
    expect(performance.now() - begun).toBeGreaterThan(380);
    for (const name of ["a", "b", "c"]) end(name);
    expect(await Promise.all(jobs.map(outcomeOf))).toEqual(["a", "b", "c"].map(said));
  });

  test("runs the last request of some, which have one job", async () => {
    const { tool, executor } = lined({ debounce: { seconds: 0.3 } });
    const jobs = ["a", "b", "c"].map((name) => executor.start({ tool, input: { name } }));
    await expect.poll(() => new Set(jobs.map(({ id }) => id)).size).toBe(1);
    await expect.poll(() => began).toEqual(["c"]);
    end("c");
    expect(await Promise.all(jobs.map(outcomeOf))).toEqual(["c", "c", "c"].map(said));
  });

  test("leaves the job of several callers to the others when one leaves, also the one who was first", async () => {
    const { tool, executor } = lined({ debounce: { seconds: 0.3 } });
    const jobs = ["a", "b", "c"].map((name) => executor.start({ tool, input: { name } }));
    await expect.poll(() => new Set(jobs.map(({ id }) => id)).size).toBe(1);
    jobs[0]?.cancel("The client left.");
    jobs[2]?.cancel("The client left.");
    await expect.poll(() => began).toEqual(["c"]);
    end("c");
    expect(await Promise.all(jobs.map(outcomeOf))).toEqual(["cancelled", said("c"), "cancelled"]);
  });

  test("leaves a job to the callers of other replicas when one replica stops", async () => {
    const { tool, executor } = lined({ debounce: { seconds: 0.3 } });
    const { store } = executor;
    const other = createExecutor({ tools: [tool], store, every: () => () => {} });
    executors.push(other);
    const [here, there] = [executor, other].map((one, n) => one.start({ tool, input: { name: `${n}` } }));
    await expect.poll(() => here?.id === there?.id).toBe(true);
    await executor.drain(0);
    await expect.poll(() => began).toEqual(["1"]);
    end("1");
    expect(await Promise.all([here, there].map((job) => job && outcomeOf(job)))).toEqual(["draining", said("1")]);
  });
});

describe("a tool with priorities", () => {
  const priorities = [
    { seconds: 30, when: "request.urgent", is: true },
    { seconds: 60, when: "request.customer.plan", is: "enterprise" },
    { seconds: 3600, when: "request.level", is: 3 },
  ];

  test("runs the jobs that wait for a slot here in the order of their arrival, less their head starts", async () => {
    const { tool } = lined({ priorities });
    const own: Tool = {
      ...tool,
      functions: { ...tool.functions, order: byHeadStart },
      options: { ...tool.options, executorOpts: { maxWorkers: 1 } },
    };
    const executor = createExecutor({ tools: [own], store: createMemoryStore(), every: () => () => {} });
    executors.push(executor);
    const inputs = [
      { name: "first" },
      { name: "plain" },
      { name: "urgent", urgent: true },
      { name: "paid", urgent: true, customer: { plan: "enterprise" } },
      { name: "other", urgent: false, customer: {} },
      { name: "paid too", customer: { plan: "enterprise" } },
    ];
    const jobs = inputs.map((input) => executor.start({ tool: own, input }));
    const order = ["first", "paid", "paid too", "urgent", "plain", "other"];
    for (const name of order) {
      await expect.poll(() => began.at(-1)).toBe(name);
      end(name);
    }
    await Promise.all(jobs.map(outcomeOf));
    expect(began).toEqual(order);
  });

  test("lets the jobs of a key pass, and tells how many are ahead", async () => {
    const { tool, executor } = lined({ limit: { jobs: 1, beyond: "wait" }, priorities });
    const start = (name: string, urgent?: boolean): Job => executor.start({ tool, input: { name, urgent } });
    const jobs = [start("a"), start("b"), start("c", true)];
    await expect
      .poll(async () => (await executor.store.get(jobs[1]?.id ?? "urn:platform:job:none"))?.waiting?.line?.ahead)
      .toBe(1);
    for (const name of ["a", "c", "b"]) {
      await expect.poll(() => began.at(-1)).toBe(name);
      end(name);
    }
    await Promise.all(jobs.map(outcomeOf));
  });

  test("compares the value of a field, and has no head start without it", () => {
    const { tool } = lined({ priorities });
    const headStart = (input: unknown): number | undefined => limitsOf(tool, { input }).headStart;
    expect(headStart({ urgent: true })).toBe(30_000);
    expect(headStart({ urgent: true, level: 3 })).toBe(3_600_000);
    expect(headStart({ customer: { plan: "enterprise" } })).toBe(60_000);
    // Texts count where a tool accepts them for other values.
    expect(headStart({ urgent: "true", level: "3.0" })).toBe(3_600_000);
    for (const none of [undefined, null, [], {}, { urgent: 1 }, { customer: null }, { level: "" }, { customer: "x" }])
      expect(headStartOf(priorities, none)).toBe(0);
    expect(limitsOf(lined({}).tool, { input: { urgent: true } })).toEqual({});
  });
});

test("a request that does not match its schema has no limit: it takes no turn, and no valid request's place", () => {
  const { tool } = lined({ debounce: { seconds: 5 } });
  const checked: Tool = {
    ...tool,
    functions: { ...tool.functions, isRequest: (wire) => typeof (wire as { name?: unknown }).name === "string" },
  };
  expect(limitsOf(checked, { input: { name: "a" } })).toMatchObject({ limit: { debounce: { wait: 5000 } } });
  expect(limitsOf(checked, { input: { name: 1 } })).toEqual({});
  // Only its job knows what such a value becomes.
  const coercing = { ...checked, options: { ...checked.options, coerce: true } };
  expect(limitsOf(coercing, { input: { name: 1 } })).toMatchObject({ limit: { debounce: { wait: 5000 } } });
});
