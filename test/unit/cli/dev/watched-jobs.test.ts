import { join } from "node:path";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { JobNotebook } from "../../../../cli/dev/job-notes.ts";
import { createCallLines } from "../../../../cli/dev/call-lines.ts";
import { createWatchedJobs } from "../../../../cli/dev/watched-jobs.ts";
import { devHostKey } from "../../../../runtime/contract/process-keys.ts";
import type { ToolDefinition } from "../../../../runtime/contract/contract.ts";
import type { Executor } from "../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../runtime/executor/kept/load-kept.ts";
import type { JobContext } from "../../../../runtime/executor/run/job-context.ts";
import { openSqliteStore } from "../../../../runtime/executor/store/sqlite/sqlite.ts";
import { createMemoryStore } from "../../../../runtime/executor/store/memory/memory.ts";
import type { Job, JobEvent, JobOutcome } from "../../../../runtime/job/job.ts";
import { limitsOf } from "../../../../runtime/job/limits/limits-of.ts";
import type { DevHost } from "../../../../runtime/start/parts/dev-host.ts";
import { underDev } from "../../../../runtime/start/parts/watched-executor.ts";
import { loggingInit } from "../../../../runtime/telemetry/log/logging.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { fakeTool } from "../../../support/fake-tool.ts";

beforeAll(async () => {
  loggingInit({ level: "CRITICAL" });
  await loadKept();
});

const executors: Executor[] = [];
afterEach(async () => {
  for (const executor of executors.splice(0)) await executor.drain(0);
});

/** A tool under `tenon dev`, with what the terminal and the notes have of its jobs. */
function underWatch(
  body: (job: JobContext) => unknown,
  definition: Partial<ToolDefinition>,
  isStored = false,
): {
  readonly start: (input?: object) => Job;
  readonly executor: Executor;
  readonly notes: JobNotebook;
  readonly lines: readonly string[];
  readonly pass: (ms: number) => Promise<void>;
} {
  const lines: string[] = [];
  const notes = new JobNotebook(process.cwd());
  const show = createCallLines((line) => lines.push(line.replaceAll(/^[\d:]+ |\s+\d+ ms|\d+\.\d+ s/g, "").trim()));
  const jobs = createWatchedJobs<JobEvent, JobOutcome>((job) => {
    show(job);
    notes.watch(job);
  });
  const host: DevHost = {
    running: undefined,
    began(job) {
      notes.began(job.id, job.input);
      jobs.began(job);
    },
    joined: (id, input, call) => notes.joined(id, input, call),
    started(job, start) {
      notes.begin(job.id, start);
      jobs.started(job);
    },
  };
  Reflect.set(globalThis, devHostKey, host);
  onTestFinished(() => void Reflect.deleteProperty(globalThis, devHostKey));
  const functions = (definition.limit ?? definition.debounce) && { limits: limitsOf as never };
  const tool = fakeTool((_, job) => body(job), { name: "lined", definition, ...(functions && { functions }) });
  const rounds: (() => void)[] = [];
  let now = 0;
  const clock = { now: () => now };
  const store = isStored ? openSqliteStore(join(temporaryFolder({}), "jobs.db"), clock) : createMemoryStore(clock);
  const every = (_: number, round: () => void): (() => void) => {
    rounds.push(round);
    return () => {};
  };
  const bare = createExecutor({ tools: [tool], store, every });
  executors.push(bare);
  const executor = underDev(bare, { tools: [tool] } as never, { console: true });
  return {
    start: (input = {}) => executor.start({ tool, input }),
    executor,
    notes,
    lines,
    async pass(ms) {
      now += ms;
      for (const round of rounds) round();
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

const broken = (): never => {
  const error = new Error("lined broke", { cause: new Error("depot closed") });
  error.stack = "Error: lined broke\n    at broken (/p/src/lined.ts:4:2)";
  throw error;
};
const step = (job: JobContext, name: string): Promise<string> =>
  (job.step as (...args: unknown[]) => Promise<string>).call(job, name, {}, () => name, {
    fingerprint: "f",
    optional: true,
  });
const author = "at broken (/p/src/lined.ts:4:2)";

test("a job that waited in a line has its stack, its cause and its request; each job has its lines once", async () => {
  const ways: (() => void)[] = [];
  const waiting = async (): Promise<never> => {
    await new Promise<void>((resolve) => ways.push(resolve));
    return broken();
  };
  const { start, notes, lines } = underWatch(waiting, { limit: { jobs: 1, beyond: "wait" } });
  const [first, second] = [start({ text: "one" }), start({ text: "two" })];
  for (const job of [first, second]) {
    await expect.poll(() => ways.length).toBe(1);
    ways.pop()?.();
    expect(await job.done).toMatchObject({ state: "error" });
  }
  await expect
    .poll(() => lines)
    .toEqual([
      "✕ lined error  The tool failed. The service's log has the reason.",
      author,
      "✕ lined error  The tool failed. The service's log has the reason.",
      author,
    ]);
  for (const [job, text] of [
    [first, "one"],
    [second, "two"],
  ] as const) {
    expect(notes.brief(job.id)).toEqual({
      "error-message": "Error: lined broke",
      origin: "rest",
      request: JSON.stringify({ text }),
    });
    expect(notes.of(job.id).error).toMatchObject({
      message: "Error: lined broke",
      causes: [{ message: "Error: depot closed" }],
    });
  }
});

test("a job that is run again from a step has its own stack, and the request of the first", async () => {
  const body = async (job: JobContext): Promise<never> => {
    await step(job, "pack");
    return broken();
  };
  const { start, executor, notes, lines } = underWatch(body, { durable: true });
  const first = start({ text: "one" });
  await first.done;
  const { id: again } = await executor.fork(first, undefined);
  await expect.poll(() => notes.of(again).error).toMatchObject({ message: "Error: lined broke" });
  expect(notes.brief(again)).toMatchObject({ origin: "fork", request: '{"text":"one"}' });
  expect(lines.filter((line) => line === author)).toHaveLength(2);
});

test("a job that continues after a wait has the lines of each step once, and the author's line at its end", async () => {
  const body = async (job: JobContext): Promise<never> => {
    await step(job, "pack");
    await job.sleep("1d");
    await step(job, "send");
    return broken();
  };
  const { start, notes, lines, pass } = underWatch(body, { durable: true });
  const { id } = start();
  await expect.poll(() => lines.some((line) => line.includes("pack"))).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await pass(90_000_000);
  await expect.poll(() => notes.of(id).error).toMatchObject({ message: "Error: lined broke" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const sent = (name: string): number => lines.filter((line) => line.includes(`✓ lined › ${name}`)).length;
  expect([sent("pack"), sent("send")]).toEqual([1, 1]);
  expect(lines.slice(-2)).toEqual(["✕ lined error  The tool failed. The service's log has the reason.", author]);
  expect(lines.filter((line) => line.startsWith("✕ lined error"))).toHaveLength(1);
});

test("a job that is cancelled while it waits has its line", async () => {
  const { start, executor, lines } = underWatch(() => new Promise(() => {}), { limit: { jobs: 1, beyond: "wait" } });
  start();
  const { id } = start();
  await executor.cancel(id, "The caller cancelled the job.");
  await expect.poll(() => lines).toEqual(["– lined cancelled  The caller cancelled the job."]);
});

test.each([
  ["in memory", false],
  ["on disk", true],
])("a debounced job has the request of its last call, with which it runs, in a store %s", async (_, isStored) => {
  const ways: (() => void)[] = [];
  const { start, notes, pass } = underWatch(
    () => new Promise<void>((resolve) => ways.push(resolve)),
    { debounce: { seconds: 1 } },
    isStored,
  );
  const first = start({ text: "one" });
  const { id } = first;
  const second = start({ text: "two" });
  const given = second.id;
  await expect.poll(() => notes.brief(id)).toMatchObject({ request: '{"text":"two"}' });
  // A store of its own gives the second call the job of the first.
  expect(given === id ? {} : notes.brief(given)).toEqual({});
  start({ text: "three" });
  await expect.poll(() => notes.brief(id)).toEqual({ origin: "rest", request: '{"text":"three"}' });
  await pass(1000);
  await expect.poll(() => ways.length).toBe(1);
  expect(notes.brief(id)).toEqual({ origin: "rest", request: '{"text":"three"}' });
  ways.pop()?.();
  await first.done;
});

test("a job of a schedule, which nobody has started by a call, is watched where it begins", async () => {
  const { executor, notes, lines } = underWatch(broken, {});
  const id = "urn:platform:job:scheduled";
  await executor.store.submit({ id, tool: "lined", input: { text: "each night" }, ttl: 60, maxAttempts: 1 });
  await executor.resume();
  await executor.fired?.(id, { text: "each night" });
  await expect
    .poll(() => notes.brief(id))
    .toEqual({
      "error-message": "Error: lined broke",
      origin: "schedule",
      request: '{"text":"each night"}',
    });
  expect(lines).toEqual([expect.stringContaining("✕ lined error"), author]);
});
