import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type {
  KeptCodec,
  ResultKind,
  RetryDefinition,
  WaitDefinition,
} from "../../../../../runtime/contract/contract.ts";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { MessageSender } from "../../../../../runtime/job/steps/message.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import type { MessageOptions } from "../../../../../runtime/executor/run/waits.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { BinaryResult } from "../../../../../runtime/job/binary-result.ts";
import type { Job, JobOutcome, JobUrn } from "../../../../../runtime/job/job.ts";
import { WaitTimeoutError } from "../../../../../runtime/job/steps/step-errors.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

beforeAll(() => loadKept());

const id: JobUrn = "urn:platform:job:a";
const boolean: KeptCodec = {
  fingerprint: "b",
  schema: { type: "boolean" },
  is: (wire) => typeof wire === "boolean",
};

let now: number;
let store: JobStore;
const executors: Executor[] = [];

beforeEach(() => {
  loggingInit({ level: "CRITICAL" });
  now = 0;
  store = createMemoryStore({ now: () => now });
});

afterEach(async () => {
  for (const executor of executors.splice(0)) await executor.drain(0);
});

function open(
  body: (job: JobContext) => unknown,
  waits: readonly WaitDefinition[] = [],
  owner?: string,
  isHeard = true,
  { retry, resultKind }: { readonly retry?: RetryDefinition; readonly resultKind?: ResultKind } = {},
): { job: Job; executor: Executor; pass: (ms: number) => Promise<void> } {
  const rounds: (() => void)[] = [];
  const tool = fakeTool((_, job) => body(job), {
    ...(resultKind && { resultKind }),
    definition: { durable: true, waits, ...(retry && { retry }) },
  });
  const executor = createExecutor({
    tools: [tool],
    store,
    every: (_, callback) => {
      rounds.push(callback);
      return () => {};
    },
  });
  executors.push(executor);
  const job = executor.start({ tool, input: {}, id, owner });
  if (isHeard) job.onEnd(() => {});
  return {
    job,
    executor,
    async pass(ms) {
      now += ms;
      for (const round of rounds) round();
    },
  };
}

function wait<T>(job: JobContext, name: string, options: MessageOptions = {}): Promise<T> {
  return (job.wait as (...args: unknown[]) => Promise<T>).call(job, name, options, boolean);
}

function step<T>(job: JobContext, name: string, run: () => T): Promise<T> {
  return (job.step as (...args: unknown[]) => Promise<T>).call(job, name, {}, run, {
    fingerprint: "f",
    optional: true,
  });
}

async function parked(): Promise<void> {
  await expect.poll(async () => (await store.get(id))?.waiting).toBeDefined();
}

/** The same store, as if it stood across a network: its answers take some turns of the event loop. */
function remote(to: JobStore): JobStore {
  return new Proxy(to, {
    get(target, verb: keyof JobStore & string) {
      const member = target[verb];
      if (typeof member !== "function") return member;
      if (verb === "watch" || verb === "ready") return member.bind(target);
      return async (...args: never[]) => {
        await turns();
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve));
}

function json(outcome: JobOutcome): unknown {
  if (outcome.state !== "succeeded" || outcome.result.kind !== "json") throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.result.json);
}

describe("a long wait", () => {
  test("parks the job: its place is free, nothing after it runs, and it comes back by time and ends for its caller", async () => {
    const calls: string[] = [];
    const { job, executor, pass } = open(async (context) => {
      calls.push("began");
      await step(context, "a", () => calls.push("a"));
      try {
        await context.sleep("1 day");
      } catch {
        calls.push("caught");
      }
      calls.push("woken");
      return "end";
    });
    await parked();
    expect(executor.jobs).toEqual([]);
    expect((await store.get(id))?.waiting?.until).toBeGreaterThan(Date.now() + 86_000_000);
    await pass(86_000_000);
    expect((await store.get(id))?.state).toBe("pending");
    await pass(500_000);
    // A round that is under way when the time has passed is followed by another one.
    await expect
      .poll(async () => {
        await pass(0);
        return calls.at(-1);
      })
      .toBe("woken");
    expect(json(await job.done)).toBe("end");
    expect(calls).toEqual(["began", "a", "began", "woken"]);
    expect((await store.get(id))?.attempt).toBe(1);
  });

  test("for a message ends with it, by the type of the wait", async () => {
    const waits = [{ name: "approval", schema: { type: "boolean" } }];
    const { job, executor } = open((context) => wait(context, "approval", { within: "3 days" }), waits);
    await parked();
    expect((await executor.find(id))?.waitsFor).toMatchObject({ message: "approval" });
    await expect(executor.send({ id, name: "approval", body: "yes" })).rejects.toMatchObject({ kind: "validation" });
    await expect(executor.send({ id, name: "aproval", body: true })).rejects.toMatchObject({
      kind: "not-found",
      message: expect.stringContaining("It waits for: approval") as string,
    });
    await expect(executor.send({ id, name: "approval", key: "k", body: true })).rejects.toMatchObject({
      kind: "bad-request",
    });
    expect(await executor.send({ id, name: "approval", body: true, once: "k" })).toBe(true);
    expect(json(await job.done)).toBe(true);
    await expect(executor.send({ id, name: "approval", body: true })).rejects.toMatchObject({ kind: "gone" });
    await expect(executor.send({ id: "urn:platform:job:none", name: "approval", body: true })).rejects.toMatchObject({
      kind: "not-found",
    });
  });

  test("is over after its time, and later attempts hear the same", async () => {
    let calls = 0;
    const { job, pass } = open(async (context) => {
      calls += 1;
      try {
        return await wait(context, "approval", { within: "2 hours" });
      } catch (error) {
        if (!(error instanceof WaitTimeoutError)) throw error;
        await context.sleep("1 hour");
        return error.waited;
      }
    });
    await parked();
    await pass(7_200_000);
    await expect.poll(() => calls).toBe(2);
    await parked();
    await pass(3_600_000);
    expect([json(await job.done), calls]).toEqual(["approval", 3]);
  });

  test("whose end in time is not caught ends the job without another try, which would end in the same way", async () => {
    let calls = 0;
    const body = (context: JobContext): Promise<unknown> => {
      calls += 1;
      return wait(context, "approval", { within: "1ms" });
    };
    const { job } = open(body, [], undefined, true, { retry: { attempts: 3, from: 1, to: 1 } });
    expect(await job.done).toMatchObject({ state: "error", error: { kind: "system" } });
    expect(calls).toBe(1);
  });

  test("does not leave while a step runs, and waits for several things at once", async () => {
    let end: (value: string) => void = () => {};
    const waits = [{ name: "one", schema: { type: "boolean" } }];
    const { job, executor, pass } = open(
      (context) =>
        Promise.all([
          wait(context, "one"),
          context.sleep("1 hour").then(() => "slept"),
          step(context, "slow", () => new Promise<string>((resolve) => (end = resolve))),
        ]),
      waits,
    );
    await expect.poll(async () => (await store.recall(id)).steps.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(executor.jobs).toHaveLength(1);
    end("done");
    await parked();
    expect((await store.get(id))?.waiting?.waits).toEqual(["one"]);
    await executor.send({ id, name: "one", body: false });
    await expect
      .poll(async () => (await store.recall(id)).steps.find(({ key }) => key === "~wait:one")?.state)
      .toBe("done");
    await parked();
    await pass(3_600_000);
    expect(json(await job.done)).toEqual([false, "slept", "done"]);
  });

  test("ends for a caller who begins to wait when the job has left", async () => {
    const { job, executor } = open((context) => wait(context, "go"), [{ name: "go" }], undefined, false);
    await parked();
    const done = job.done;
    await executor.send({ id, name: "go", body: true });
    expect(json(await done)).toBe(true);
  });

  test("ends at once when the job is cancelled, and whoever waits is told", async () => {
    const { job, executor } = open((context) => context.sleep("1 day"));
    await parked();
    await executor.cancel(id, "No more.");
    expect(await job.done).toMatchObject({ state: "cancelled" });
  });
});

test("a job that is taken up, and then waits for a date, goes on when the store can be reached again", async () => {
  const { job, pass } = open(async (context) => {
    await context.sleep("1 day");
    await context.sleep(new Date(Date.now() - 1));
    return "end";
  });
  await parked();
  const recall = store.recall.bind(store);
  let reads = 0;
  // The steps are read when the job is taken up, and again for the date; each read fails once.
  vi.spyOn(store, "recall").mockImplementation((...given) => {
    if (++reads % 2 === 1) throw new ToolError("overloaded", "The service cannot keep jobs at the moment.");
    return recall(...given);
  });
  await pass(86_400_001);
  await expect
    .poll(async () => {
      await pass(0);
      return job.outcome;
    })
    .toBeDefined();
  expect([json(await job.done), reads]).toEqual(["end", 4]);
});

describe("with a store across a network, a job is parked for all that it waits for", () => {
  const tomorrow = (): Date => new Date(Date.now() + 86_400_000);

  test.each([
    ["a time", {}, () => "1 day" as const],
    ["a date", {}, tomorrow],
    ["a date before the end of the message's wait", { within: "3 days" as const }, tomorrow],
  ])("a message and %s, which begin together", async (_, options, time) => {
    store = remote(store);
    const { job, executor } = open(
      (context) => Promise.race([wait(context, "go", options), context.sleep(time())]),
      [{ name: "go" }],
    );
    await parked();
    const { waits, until = Infinity } = (await store.get(id))?.waiting ?? {};
    expect(waits).toEqual(["go"]);
    expect(Math.abs(until - Date.now() - 86_400_000)).toBeLessThan(60_000);
    await executor.send({ id, name: "go", body: true });
    expect(json(await job.done)).toBe(true);
  });

  test("not while the end of another wait is written and what follows has not begun", async () => {
    const calls: string[] = [];
    store = remote(store);
    const { job, executor, pass } = open(
      async (context) => {
        const go = wait(context, "go");
        await Promise.race([go, context.sleep("1 day")]);
        await step(context, "remind", () => calls.push("remind"));
        return go;
      },
      [{ name: "go" }],
    );
    await parked();
    await pass(86_400_001);
    await expect
      .poll(async () => {
        await pass(0);
        return (await store.get(id))?.waiting?.until;
      })
      .toBeUndefined();
    await parked();
    expect(calls).toEqual(["remind"]);
    await executor.send({ id, name: "go", body: true });
    expect(json(await job.done)).toBe(true);
  });

  test("when a short wait is over and the long one goes on", async () => {
    store = remote(store);
    const { job, executor } = open(
      async (context) => {
        const go = wait(context, "go");
        await context.sleep("20ms");
        return go;
      },
      [{ name: "go" }],
    );
    await parked();
    expect(executor.jobs).toEqual([]);
    await executor.send({ id, name: "go", body: true });
    expect(json(await job.done)).toBe(true);
  });
});

describe("a function that has failed, and is tried again,", () => {
  const waits = [{ name: "go" }];

  test("is not parked for what it has waited for", async () => {
    let calls = 0;
    store = remote(store);
    const { job } = open(
      async (context) => {
        void wait(context, "go");
        await step(context, "a", () => 1);
        if (++calls === 1) throw new Error("not yet");
        return calls;
      },
      waits,
      undefined,
      true,
      { retry: { attempts: 2, from: 1, to: 1 } },
    );
    expect(json(await job.done)).toBe(2);
    expect((await store.recall(id)).steps).toContainEqual(expect.objectContaining({ key: "~tries", tries: 1 }));
  });

  test("is parked until the next try once its other steps have ended, and nothing more begins in it", async () => {
    const calls: string[] = [];
    let end: (value: string) => void = () => {};
    const { executor, pass, job } = open(
      async (context) => {
        if (calls.length > 0) return step(context, "slow", () => "again");
        void step(context, "slow", () => new Promise<string>((resolve) => (end = resolve))).then(() =>
          step(context, "next", () => calls.push("next")),
        );
        void wait(context, "go");
        await step(context, "a", () => calls.push("a"));
        throw new Error("not yet");
      },
      waits,
      undefined,
      true,
      { retry: { attempts: 2, from: 120_000, to: 120_000 } },
    );
    await expect.poll(async () => (await store.recall(id)).steps.some(({ key }) => key === "~tries")).toBe(true);
    await turns();
    expect(executor.jobs).toHaveLength(1);
    end("done");
    await parked();
    expect((await store.get(id))?.waiting?.waits).toEqual([]);
    await pass(120_001);
    await expect
      .poll(async () => {
        await pass(0);
        return job.outcome?.state;
      })
      .toBe("succeeded");
    expect(json(await job.done)).toBe("done");
    expect(calls).toEqual(["a"]);
  });
});

test("a sleep that a failed run had begun does not go on beside the next run", async () => {
  const woken: number[] = [];
  let run = 0;
  const { job } = open(
    async (context) => {
      const own = ++run;
      const slept = context.sleep("50ms").then(() => woken.push(own));
      // The first failure loads the code of retries; the others come while the sleep is being stored.
      if (own < 3) throw new Error("not yet");
      await slept;
      return own;
    },
    [],
    undefined,
    true,
    { retry: { attempts: 5, from: 1, to: 1 } },
  );
  expect(json(await job.done)).toBe(3);
  expect(woken).toEqual([3]);
});

test("a job whose stream has failed is parked in its next run", async () => {
  let run = 0;
  open(
    async (context) => {
      if (++run === 2) await context.sleep("1 day");
      return new BinaryResult(new ReadableStream({ pull: () => Promise.reject(new Error("cut off")) }), "text/plain");
    },
    [],
    undefined,
    true,
    { resultKind: "binary", retry: { attempts: 5, from: 1, to: 1 } },
  );
  await parked();
  expect(run).toBe(2);
});

test("a function that has returned is not parked while its stream is read", async () => {
  const { job } = open(
    async (context) => {
      void wait(context, "go");
      await step(context, "a", () => 1);
      const content = new ReadableStream({
        async pull(controller) {
          await turns();
          controller.enqueue(Buffer.from("all"));
          controller.close();
        },
      });
      return new BinaryResult(content, "text/plain");
    },
    [{ name: "go" }],
    undefined,
    true,
    { resultKind: "binary" },
  );
  expect(await job.done).toMatchObject({ state: "succeeded", result: { content: Buffer.from("all") } });
});

describe("a short wait", () => {
  test("stays in the process", async () => {
    let calls = 0;
    const { job } = open(async (context) => {
      calls += 1;
      await context.sleep("20ms");
      return calls;
    });
    expect(json(await job.done)).toBe(1);
  });

  test("takes a message that came before it, and one that comes", async () => {
    const waits = [{ name: "early" }, { name: "late", keyed: true as const }];
    const { job, executor } = open(async (context) => {
      await step(context, "a", () => 1);
      await context.sleep("50ms");
      const early = await wait(context, "early", { within: "30s" });
      return [early, await wait(context, "late", { within: "30s", key: 2 })];
    }, waits);
    await expect.poll(async () => (await store.recall(id)).steps.length).toBeGreaterThan(0);
    expect(await executor.send({ id, name: "early", body: true, once: "x" })).toBe(true);
    expect(await executor.send({ id, name: "early", body: false, once: "x" })).toBe(false);
    await expect.poll(async () => (await store.recall(id)).steps.some(({ key }) => key === "~wait:late[2]")).toBe(true);
    await executor.send({ id, name: "late", key: "1", body: false });
    await executor.send({ id, name: "late", key: "2", body: true });
    expect(json(await job.done)).toEqual([true, true]);
  });

  test("beside another one gets its message", async () => {
    const waits = [{ name: "approve" }, { name: "reject" }];
    const { job, executor } = open(
      (context) =>
        Promise.race(
          waits.map(async ({ name }) => ((await wait(context, name, { within: "30s" })) === true ? name : "")),
        ),
      waits,
    );
    await expect.poll(async () => (await store.recall(id)).steps.length).toBe(2);
    await executor.send({ id, name: "reject", body: true });
    expect(json(await job.done)).toBe("reject");
  });

  test("takes a message that was accepted before its end, although no news of it have come", async () => {
    vi.spyOn(store, "watch").mockReturnValue(() => {});
    const recall = store.recall.bind(store);
    vi.spyOn(store, "recall").mockImplementation((job, only) => {
      const found = recall(job, only);
      void store.send(id, { name: "go", body: "true", once: "a" });
      return found;
    });
    const { job } = open((context) => wait(context, "go", { within: "20ms" }), [{ name: "go" }]);
    expect(json(await job.done)).toBe(true);
  });
});

test("who may send: the job's caller, and others by the scope of the wait", async () => {
  const waits = [{ name: "note" }, { name: "approval", scope: "orders:approve" }];
  const { executor } = open((context) => context.sleep("1 day"), waits, "ann");
  await parked();
  const sender = (owner: string, ...scopes: string[]): MessageSender => ({
    owner,
    require(needed) {
      if (!needed.every((scope) => scopes.includes(scope))) throw new ToolError("insufficient-scope", "no");
    },
  });
  expect(await executor.send({ id, name: "note", body: 1 }, sender("ann"))).toBe(true);
  await expect(executor.send({ id, name: "note", body: 1 }, sender("bob"))).rejects.toMatchObject({
    kind: "not-found",
  });
  await expect(executor.send({ id, name: "approval", body: 1 }, sender("ann"))).rejects.toMatchObject({
    kind: "insufficient-scope",
  });
  expect(await executor.send({ id, name: "approval", body: 1 }, sender("bob", "orders:approve"))).toBe(true);
});
