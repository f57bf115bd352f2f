import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { KeptCodec, RetryDefinition, ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import { ValueError } from "../../../../../runtime/base/errors.ts";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import type { KeptStepOptions, StepAttempt } from "../../../../../runtime/executor/run/steps.ts";
import { loadExplainer } from "../../../../../runtime/executor/run/load-explainer.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import type { JobOutcome, JobUrn } from "../../../../../runtime/job/job.ts";
import {
  FinalError,
  RetryAfterError,
  StepError,
  StepInterruptedError,
} from "../../../../../runtime/job/steps/step-errors.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";
import { sqlitePlace, type SqlitePlace } from "../store/sqlite-place.ts";

beforeAll(async () => {
  await loadKept();
  await loadExplainer();
});

const id: JobUrn = "urn:platform:job:a";
const anything: KeptCodec = { fingerprint: "f", optional: true };
const date: KeptCodec = {
  fingerprint: "date",
  schema: { type: "string", format: "date-time" },
  encode: (value: Date) => value.toISOString(),
  is: (wire) => typeof wire === "string" && wire.endsWith("Z"),
  decode: (wire: string) => new Date(wire),
};

let place: SqlitePlace;
let store: JobStore;
const executors: Executor[] = [];
let lines: string[];

beforeEach(() => {
  lines = [];
  loggingInit({ level: "WARNING", write: (line) => lines.push(line) });
  place = sqlitePlace();
  store = place.open();
});

afterEach(async () => {
  vi.useRealTimers();
  for (const executor of executors.splice(0)) await executor.drain(0);
  await store.close();
  place.remove();
});

async function logged(): Promise<string> {
  await flushLogs();
  return lines.join("");
}

type Body = (job: JobContext, input: { readonly text?: string }) => unknown;

/** Calls a step as the build has it: with its codec. */
function step<T>(
  job: JobContext,
  name: string,
  run: (step: StepAttempt) => T,
  { codec = anything, ...options }: KeptStepOptions & { readonly codec?: KeptCodec } = {},
): Promise<Awaited<T>> {
  return (job.step as (...args: unknown[]) => Promise<Awaited<T>>).call(job, name, options, run, codec);
}

function start(
  body: Body,
  more: Partial<ToolDefinition> = {},
  at = store,
): { executor: Executor; done: () => Promise<JobOutcome> } {
  const tool = fakeTool((input: { text?: string }, job) => body(job, input), {
    definition: { durable: true, ...more },
  });
  const executor = createExecutor({ tools: [tool], store: at });
  executors.push(executor);
  return { executor, done: () => executor.start({ tool, input: {}, id }).done };
}

/** The job of a process that was lost, taken up by another one. */
async function takenUp(body: Body, more: Partial<ToolDefinition> = {}): Promise<JobOutcome> {
  await store.close();
  store = place.open({ endLeases: true });
  const { executor } = start(body, more);
  await executor.resume();
  const job = await executor.find(id);
  if (job === undefined) throw new Error("the job is gone");
  return job.done;
}

/** Runs until a step hangs, as in a process that is killed there. */
async function killed(
  body: (job: JobContext, hang: () => Promise<never>) => unknown,
  more?: Partial<ToolDefinition>,
): Promise<void> {
  const { promise, resolve } = deferred();
  const hang = (): Promise<never> => {
    resolve();
    return new Promise(() => {});
  };
  const { done } = start((job) => body(job, hang), more);
  void done();
  await promise;
  // Its lease, and everything that it still writes, belong to the process that is gone.
  executors.splice(0);
}

function json(outcome: JobOutcome): unknown {
  if (outcome.state !== "succeeded" || outcome.result.kind !== "json") throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.result.json);
}

describe("a step", () => {
  test("gives the value that later attempts get, in the first one as well", async () => {
    const given = new Date(5);
    const seen: unknown[] = [];
    const body: Body = async (job) => {
      const at = await step(job, "date", () => given, { codec: date });
      seen.push(at instanceof Date && at !== given && at.getTime());
      return at.toISOString();
    };
    expect(json(await start(body).done())).toBe("1970-01-01T00:00:00.005Z");
    expect(seen).toEqual([5]);
    expect((await store.recall(id)).steps).toMatchObject([
      { key: "date", state: "done", value: '"1970-01-01T00:00:00.005Z"' },
    ]);
  });

  test("runs once although its process is lost later, and with one key where it is lost within", async () => {
    const calls: string[] = [];
    const keys = new Set<string>();
    await killed(async (job, hang) => {
      await step(job, "charge", () => calls.push("charge"));
      for (const item of ["a", "b"])
        await step(
          job,
          "ship",
          ({ idempotencyKey }) => {
            calls.push(`ship ${item}`);
            keys.add(idempotencyKey);
            return item === "b" ? hang() : item;
          },
          { key: item },
        );
    });
    const outcome = await takenUp(async (job) => {
      const order = await step(job, "charge", () => calls.push("charge again"));
      const shipped = [];
      // In another order: names and keys tell them apart.
      for (const item of ["b", "a"])
        shipped.push(
          await step(
            job,
            "ship",
            ({ idempotencyKey }) => {
              calls.push(`ship ${item}`);
              keys.add(idempotencyKey);
              return item;
            },
            { key: item },
          ),
        );
      return [order, ...shipped];
    });
    expect(json(outcome)).toEqual([1, "b", "a"]);
    expect(calls).toEqual(["charge", "ship a", "ship b", "ship b"]);
    expect([...keys]).toEqual([...keys].filter((key) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(key)));
    expect(keys.size).toBe(2);
  });

  test("with atMostOnce is never run twice: the author decides", async () => {
    let calls = 0;
    await killed((job, hang) =>
      step(
        job,
        "charge",
        () => {
          calls += 1;
          return hang();
        },
        { atMostOnce: true },
      ),
    );
    const outcome = await takenUp(async (job) => {
      try {
        return await step(job, "charge", () => (calls += 1), { atMostOnce: true });
      } catch (error) {
        return [error instanceof StepInterruptedError && error.step, calls];
      }
    });
    expect(json(outcome)).toEqual(["charge", 1]);
  });

  test("side by side with others is kept by name and key, in one write where they end together", async () => {
    const keep = vi.spyOn(store, "keep");
    const body: Body = (job) => Promise.all([3, 1, 2].map((key) => step(job, "n", async () => key, { key })));
    expect(json(await start(body).done())).toEqual([3, 1, 2]);
    expect(keep.mock.calls.length).toBeLessThan(3);
  });

  test("that was used in this attempt already is a mistake", async () => {
    const body: Body = async (job) => {
      await step(job, "a", () => 1, { key: "x" });
      await step(job, "a", () => 2, { key: "x" });
    };
    expect(await start(body).done()).toMatchObject({ state: "error" });
    await expect.poll(logged).toContain("a[x] was used twice in one attempt");
  });

  test("whose value is not of its type, or too large, fails there, in words, and does not run again", async () => {
    const wrong = await start((job) =>
      step(job, "wrong", () => new Date(Number.NaN), { codec: { ...date, encode: () => 5 } }),
    ).done();
    expect(wrong).toMatchObject({ error: { kind: "invalid-result" } });
    await expect.poll(logged).toContain("The result of step wrong is not of its type");
    await store.close();
    place.remove();
    place = sqlitePlace();
    store = place.open();
    let calls = 0;
    const body: Body = (job) =>
      step(job, "large", () => {
        calls += 1;
        return "x".repeat(1024 * 1024);
      });
    const large = await start(body, { retry: { attempts: 3, from: 1, to: 1 } }).done();
    expect(large).toMatchObject({
      error: { kind: "invalid-result", message: expect.stringContaining("step large has 1048578 bytes") as string },
    });
    expect(calls).toBe(1);
  });

  test("whose result is too large fails in the same way in later attempts, also where its code handles that", async () => {
    let size = 1024 * 1024;
    const caught: unknown[] = [];
    const body: Body = async (job) => {
      await step(job, "large", () => "x".repeat(size)).catch((error: unknown) => caught.push(error));
      size = 1;
      if (caught.length === 1) throw new Error("again");
      return "end";
    };
    const done = await start(body, { retry: { attempts: 2, from: 1, to: 1 } }).done();
    expect(done).toMatchObject({ state: "succeeded" });
    expect(caught).toHaveLength(2);
    const [first, second] = caught as Error[];
    expect(first).toMatchObject({ kind: "invalid-result" });
    expect([second?.constructor, second?.message]).toEqual([first?.constructor, first?.message]);
    expect((await store.recall(id)).steps).toContainEqual(
      expect.objectContaining({
        key: "large",
        state: "failed",
        error: expect.objectContaining({ kind: "invalid-result" }),
      }),
    );
  });

  test("without its codec says that the plugin is missing", async () => {
    expect(await start((job) => job.step("a", () => 1)).done()).toMatchObject({ state: "error" });
    await expect.poll(logged).toContain("has no codec, which tenon's plugin adds");
  });

  test.each([
    ["attempts", { attempts: 0 }],
    ["backoff", { backoff: "soon" }],
    ["timeout", { timeout: "1 moon" }],
    ["key", { key: "a\n" }],
  ])("with a bad %s says so", async (name, options) => {
    expect(await start((job) => step(job, "a", () => 1, options as KeptStepOptions)).done()).toMatchObject({
      state: "error",
    });
    await expect.poll(logged).toContain(name);
  });

  test("is a step of the job's events", async () => {
    const events: unknown[] = [];
    const tool = fakeTool((_, job) => step(job, "charge", () => 1, { key: 7 }), { definition: { durable: true } });
    const executor = createExecutor({ tools: [tool], store });
    executors.push(executor);
    const job = executor.start({ tool, input: {}, id });
    job.onEvent(({ body }) => events.push(body));
    await job.done;
    expect(JSON.stringify(events)).toMatch(/charge.*"key":"7"/);
  });
});

describe("tries", () => {
  const often: KeptStepOptions = { attempts: 3, backoff: "1ms" };

  test("of a step go on until it succeeds, and its number is told", async () => {
    const body: Body = (job) =>
      step(
        job,
        "a",
        ({ attempt }) => {
          if (attempt < 3) throw new Error("not yet");
          return attempt;
        },
        often,
      );
    expect(json(await start(body).done())).toBe(3);
  });

  test("that are used up end in one error, which later attempts get as well", async () => {
    const told: unknown[] = [];
    let calls = 0;
    const failing = async (job: JobContext): Promise<void> => {
      try {
        await step(
          job,
          "a",
          () => {
            calls += 1;
            throw new RangeError("out");
          },
          often,
        );
      } catch (error) {
        if (!(error instanceof StepError)) throw error;
        told.push([error.step, error.kind, error.message, error.type, error.cause]);
      }
    };
    await killed(async (job, hang) => {
      await failing(job);
      await step(job, "b", hang);
    });
    expect(json(await takenUp(async (job) => void (await failing(job))))).toBeNull();
    expect(told).toEqual([
      ["a", "system", "out", "RangeError", undefined],
      ["a", "system", "out", "RangeError", undefined],
    ]);
    expect(calls).toBe(3);
  });

  test("that are used up are logged with what the step threw, also below the error of the job", async () => {
    const outcome = await start((job) =>
      step(job, "charge", () => {
        throw new RangeError("out", { cause: new Error("no network") });
      }),
    ).done();
    expect(outcome).toMatchObject({ error: { message: expect.not.stringContaining("out") } });
    const thrown = { message: "out", stack: expect.stringMatching(/RangeError: out\n +at .*steps\.test\.ts/) };
    const error = { ...thrown, cause: { message: "no network" } };
    expect(
      (await logged())
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toMatchObject([
      { level: "WARNING", msg: "a step failed", step: "charge", tries: 1, error },
      { level: "ERROR", msg: "job failed", error: { type: "StepError", cause: error } },
    ]);
  });

  test("of a step whose result is refused are logged with the reason, which the job may catch", async () => {
    const body: Body = (job) => step(job, "text", () => "x", { codec: date }).catch(() => "caught");
    expect(json(await start(body).done())).toBe("caught");
    expect(JSON.parse(await logged())).toMatchObject({
      msg: "a step failed",
      error: { cause: { message: "The result of step text cannot be written." } },
    });
  });

  test("that an earlier attempt has used count", async () => {
    let calls = 0;
    await killed((job, hang) =>
      step(
        job,
        "a",
        ({ attempt }) => {
          calls += 1;
          if (attempt === 1) throw new Error("first");
          return hang();
        },
        often,
      ),
    );
    const outcome = await takenUp((job) => step(job, "a", ({ attempt }) => attempt, often));
    expect([json(outcome), calls]).toEqual([2, 2]);
  });

  test("end with a mistake of the caller, and with a FinalError", async () => {
    let calls = 0;
    const body: Body = async (job) => {
      const kinds = [];
      for (const error of [new ValueError("yours"), new FinalError("no more")])
        kinds.push(
          await step(
            job,
            "a",
            () => {
              calls += 1;
              throw error;
            },
            { ...often, key: error.name },
          ).catch((thrown: unknown) => (thrown as StepError).kind),
        );
      return kinds;
    };
    expect(json(await start(body).done())).toEqual(["user-input", "system"]);
    expect(calls).toBe(2);
  });

  test("of a step whose mistake is the caller's end the job as such", async () => {
    const outcome = await start((job) =>
      step(job, "a", () => {
        throw new ValueError("No such order.");
      }),
    ).done();
    expect(outcome).toMatchObject({ state: "failed", error: { kind: "user-input", message: "No such order." } });
    expect(await logged()).not.toContain("No such order.");
  });

  test("wait as long as a RetryAfterError says", async () => {
    const times: number[] = [];
    const body: Body = (job) =>
      step(
        job,
        "a",
        () => {
          times.push(performance.now());
          if (times.length === 1) throw new RetryAfterError(0.2);
        },
        often,
      );
    await start(body).done();
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(195);
  });

  test("have a time limit, after which their signal is aborted", async () => {
    const reasons: unknown[] = [];
    const body: Body = (job) =>
      step(
        job,
        "a",
        ({ signal, attempt }) => {
          if (attempt === 2) return "late";
          signal.addEventListener("abort", () => reasons.push(signal.reason));
          return new Promise(() => {});
        },
        { ...often, timeout: "20ms" },
      );
    expect(json(await start(body).done())).toBe("late");
    expect(reasons).toMatchObject([{ kind: "timeout", message: "Step a took more than 20 ms." }]);
  });

  test("have time even if their limit is longer than a timer of the process can be", async () => {
    const body: Body = (job) =>
      step(job, "a", () => new Promise((resolve) => setTimeout(resolve, 20, "in time")), { timeout: "30 days" });
    expect(json(await start(body).done())).toBe("in time");
  });

  const retry: RetryDefinition = { attempts: 3, from: 1, to: 2 };

  test("of a job by @retry run it from its start, and steps are kept", async () => {
    let calls = 0;
    let charges = 0;
    const body: Body = async (job) => {
      await step(job, "charge", () => (charges += 1));
      calls += 1;
      if (calls < 3) throw new Error("not yet");
      return [calls, charges];
    };
    expect(json(await start(body, { retry }).done())).toEqual([3, 1]);
  });

  test.each(["succeeds", "fails"])(
    "of a failed run, a step that %s late does not replace what a later run has used",
    async (end) => {
      const late = deferred();
      const isLate = deferred();
      let run = 0;
      const body: Body = async (job) => {
        const own = ++run;
        const pick = step(job, "pick", async () => {
          if (own > 1) return own;
          await late.promise;
          if (end === "fails") throw new Error("late");
          return own;
        }).finally(() => own === 1 && isLate.resolve());
        pick.catch(() => {});
        if (own === 1) throw new Error("again");
        const used = await pick;
        await step(job, "act", async () => {
          late.resolve();
          await isLate.promise;
        });
        if (own === 2) throw new Error("again");
        return [used, await pick];
      };
      expect(json(await start(body, { retry }).done())).toEqual([2, 2]);
    },
  );

  test("of a race of steps and waits have the same winner, in whatever order they are written", async () => {
    const body: Body = async (job) => {
      const tick = (name: string, after: Promise<unknown>): Promise<unknown> =>
        step(job, name, () => after.then(() => name));
      const first = tick("first", Promise.resolve());
      const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
      // On a busy machine two timers may end in one millisecond, which counts as one end: one step waits for the other.
      const isSecond = deferred();
      const third = tick(
        "third",
        isSecond.promise.then(() => pause(20)),
      );
      // Long enough to be the last on a busy machine, too.
      const slept = job.sleep("1 second");
      const won = await Promise.race([
        third,
        step(job, "second", () => first.then(() => pause(10)).then(() => Promise.reject(new ValueError("no")))).catch(
          () => {
            isSecond.resolve();
            return "second";
          },
        ),
        slept.then(() => "sleep"),
      ]);
      await third;
      await slept;
      return won;
    };
    let run = 0;
    const twice: Body = async (job, input) => {
      const won = await body(job, input);
      seen.push(won);
      if (++run < 3) throw new Error("again");
      return won;
    };
    const seen: unknown[] = [];
    await start(twice, { retry }).done();
    expect(seen).toEqual(["second", "second", "second"]);
  });

  test("of a race that has a winner: what was waited for is no longer awaited in the history of the ended job", async () => {
    const { executor, done } = start((job) => Promise.race([job.sleep("1 minute"), step(job, "quick", () => 1)]));
    await done();
    const history = async (): Promise<object> =>
      JSON.parse(String(await executor.history({ id, outcome: (await executor.find(id))?.outcome }))) as object;
    await expect.poll(history).toMatchObject({
      steps: expect.arrayContaining([
        expect.objectContaining({ step: "~sleep:1", state: "unneeded" }),
        expect.objectContaining({ step: "quick", state: "done" }),
      ]) as unknown,
    });
  });

  test("of a job by @retry are used up over all attempts", async () => {
    let calls = 0;
    const failing = async (): Promise<never> => {
      calls += 1;
      throw new Error("never");
    };
    expect(await start(failing, { retry }).done()).toMatchObject({ state: "error", error: { kind: "system" } });
    expect(calls).toBe(3);
    expect((await store.recall(id)).steps).toMatchObject([{ key: "~tries", tries: 2 }]);
  });

  test("by @retry are those of its steps as well", async () => {
    let calls = 0;
    const body: Body = (job) =>
      step(job, "a", () => {
        calls += 1;
        throw new Error("never");
      });
    expect(await start(body, { retry }).done()).toMatchObject({ state: "error" });
    expect(calls).toBe(3);
  });
});

describe("a job that keeps steps", () => {
  test("is taken up again although its tool does not say that it may run twice, also where only the helper keeps", async () => {
    await killed(
      async (job, hang) => {
        await step(job, "a", () => 1);
        await step(job, "b", hang);
      },
      { durable: false as never },
    );
    expect(json(await takenUp(async (job) => step(job, "a", () => 2)))).toBe(1);
  });

  test("is given to the next process by one that stops", async () => {
    const began = deferred();
    const { executor, done } = start(async (job) => {
      await step(job, "a", () => 1);
      began.resolve();
      await new Promise((_, reject) => job.signal.addEventListener("abort", () => reject(job.signal.reason as Error)));
    });
    void done();
    await began.promise;
    await executor.drain(0);
    expect(json(await takenUp((job) => step(job, "a", () => 2)))).toBe(1);
    expect((await store.get(id))?.attempt).toBe(1);
  });

  test("that was cancelled elsewhere is told at its next step, which is kept, and its result is dropped", async () => {
    const going = deferred();
    const began = deferred();
    let late: unknown;
    const { done } = start(async (job) => {
      await step(job, "a", () => 1);
      began.resolve();
      await going.promise;
      late = await step(job, "late", () => 1).catch((error: unknown) => (error as Error).name);
      return "first";
    });
    const ending = done();
    await began.promise;
    await store.cancel(id, "No more.");
    going.resolve();
    expect(await ending).toMatchObject({ state: "cancelled" });
    await expect.poll(() => late).toBe("StaleError");
    expect((await store.recall(id)).steps.map(({ key }) => key)).toEqual(["a", "late"]);
  });

  test("that is cancelled while a step runs keeps the step's result, since it has happened", async () => {
    const going = deferred();
    const began = deferred();
    const { done, executor } = start((job) =>
      step(job, "charge", () => {
        began.resolve();
        return going.promise.then(() => "charged");
      }),
    );
    const ending = done();
    await began.promise;
    await executor.cancel(id, "No more.");
    expect(await ending).toMatchObject({ state: "cancelled" });
    going.resolve();
    await expect.poll(async () => (await store.recall(id)).steps.map(({ value }) => value)).toEqual(['"charged"']);
  });

  test.each([
    ["is not JSON", "", "it is not JSON"],
    ["is of another type", "5", "expected"],
    ["is gone", undefined, "there is no value"],
  ])("ends as outdated where a kept value %s, whatever its code catches", async (_, value, reason) => {
    await killed(async (job, hang) => {
      await step(job, "a", () => new Date(0), { codec: date });
      await step(job, "b", hang);
    });
    const write = vi.spyOn(store, "recall");
    write.mockRestore();
    const outcome = await (async () => {
      const { steps, messages } = await store.recall(id);
      await store.close();
      store = place.open({ endLeases: true });
      const [first] = steps;
      if (first === undefined) throw new Error("nothing was kept");
      const { value: _kept, ...rest } = first;
      const changed = { ...rest, ...(value !== undefined && { value }) };
      vi.spyOn(store, "recall").mockResolvedValue({ steps: [changed], messages });
      const { executor } = start((job) => step(job, "a", () => new Date(1), { codec: date }).catch(() => "caught"));
      await executor.resume();
      return (await executor.find(id))?.done;
    })();
    expect(outcome).toMatchObject({ state: "error", error: { kind: "outdated" } });
    expect(outcome?.state === "error" && outcome.error.message).toContain("the kept result of step a");
    expect(outcome?.state === "error" && outcome.error.message).toContain(reason);
  });

  test("writes nothing for a tool without steps, and reads nothing", async () => {
    const spies = (["keep", "recall", "submit", "park"] as const).map((verb) => vi.spyOn(store, verb));
    const tool = fakeTool(async () => 1);
    const executor = createExecutor({ tools: [tool], store });
    executors.push(executor);
    await executor.start({ tool, input: {} }).done;
    expect(spies.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0, 0]);
  });
});
