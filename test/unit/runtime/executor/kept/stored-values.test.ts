import { expect, test } from "vitest";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { deliverAnswers } from "../../../../../runtime/executor/kept/keep-questions.ts";
import { mayLend, mayRepeat, mayRunElsewhere, workerName } from "../../../../../runtime/executor/kept/lending.ts";
import { newJob } from "../../../../../runtime/executor/kept/new-job.ts";
import { sendMessage } from "../../../../../runtime/executor/kept/send-message.ts";
import { settleJob } from "../../../../../runtime/executor/kept/settle-job.ts";
import { StoredJob, submissionOf } from "../../../../../runtime/executor/kept/stored-job.ts";
import { unanswered } from "../../../../../runtime/executor/kept/unanswered.ts";
import type { JobRecord, JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import type { JobOutcome } from "../../../../../runtime/job/job.ts";
import { fakeTool, type FakeTool } from "../../../../support/fake-tool.ts";

const id = "urn:platform:job:a" as const;
const tool = fakeTool(() => 1);
const toolOf = (definition: FakeTool["definition"]) => fakeTool(() => 1, { ...(definition && { definition }) });
const durable = toolOf({ durable: true });
const idempotent = toolOf({ annotations: { idempotentHint: true } });

const trace = { traceparent: "00-1", tracestate: "a=1", baggage: "b=2" };
const caller = { subject: "ann" } as never;
const idempotency = { key: "k" } as never;

test("a record has what a job has, and nothing else", () => {
  const bare = { id, tool, input: { a: 1 }, submission: {} as never };
  expect(newJob(bare)).toEqual({ id, tool: "echo", input: { a: 1 }, ttl: 3600, maxAttempts: 1 });
  const client = { talk: { capabilities: {} } } as never;
  const own = fakeTool(() => 1, { definition: { durable: true }, options: { executorOpts: { jobCacheTtl: 7 } } });
  const submission = { caller, idempotency } as never;
  expect(newJob({ ...bare, ...trace, tool: own, owner: "o", client, submission })).toEqual({
    ...trace,
    id,
    tool: "echo",
    input: { a: 1 },
    owner: "o",
    caller,
    idempotency,
    talk: { capabilities: {} },
    ttl: 7,
    maxAttempts: 3,
  });
});

test("a claimed job is submitted with what its record says, and with its earlier events", () => {
  const job = { ...trace, id, tool: "echo", input: { a: 1 }, owner: "o", caller, idempotency, ttl: 1, maxAttempts: 1 };
  const events = [
    { sequence: 3, body: { timestamp: "t", x: 1 } },
    { sequence: 4, body: { timestamp: 5 } },
  ];
  const client = {} as never;
  const { ttl: _, maxAttempts: _most, ...rest } = job;
  expect(submissionOf(job, tool, { events } as never, client)).toEqual({
    ...rest,
    tool,
    client,
    isTakenUp: true,
    earlier: [
      { sequence: 3, timestamp: "t", body: events[0]?.body, publicBody: events[0]?.body },
      { sequence: 4, timestamp: "", body: events[1]?.body, publicBody: events[1]?.body },
    ],
  });
  expect(submissionOf(job, tool, undefined, undefined).earlier).toBeUndefined();
});

test("jobs that may run again are those of idempotent tools, and those whose steps are stored", () => {
  expect([tool, durable, idempotent].map(mayRepeat)).toEqual([false, true, true]);
  expect([workerName({} as JobStore), typeof workerName({ isShared: true } as JobStore)]).toEqual([
    undefined,
    "string",
  ]);
});

test("a job may be lent before it begins, where nothing binds it to this process", () => {
  const job = { submission: {}, kept: false, began: false };
  const may = (more: object, isShared = true) => mayLend({ isShared } as JobStore, { ...job, ...more } as never);
  expect([may({}), may({}, false), may({ kept: true }), may({ began: true })]).toEqual([true, false, false, false]);
  expect([may({ submission: { client: {} } }), may({ submission: { authorization: "x" } })]).toEqual([false, false]);
});

test("a job that a shutdown gives up runs elsewhere, if another process can begin it again", () => {
  const shared = { isShared: true } as JobStore;
  const lasting = { deadLetters: 1, redrive: 1, lose: 1 } as never;
  const draining: JobOutcome = { state: "error", error: new ToolError("draining", "") };
  const may = (store: JobStore, job: object, outcome: JobOutcome = draining) =>
    mayRunElsewhere(store, { tool, began: true, hasKept: false, ...job } as never, outcome);
  expect([may(shared, {}), may(shared, { began: false }), may(shared, { tool: idempotent })]).toEqual([
    false,
    true,
    true,
  ]);
  expect([may(lasting, {}), may(lasting, { tool: durable }), may(lasting, { hasKept: true })]).toEqual([
    false,
    true,
    true,
  ]);
  expect([may({} as JobStore, { tool: durable }), may(lasting, { tool: idempotent })]).toEqual([false, false]);
  const others: readonly JobOutcome[] = [
    { state: "error", error: new ToolError("system", "") },
    { state: "cancelled", error: new ToolError("draining", "") } as never,
  ];
  expect(others.map((outcome) => may(shared, { tool: durable }, outcome))).toEqual([false, false]);
});

test("an outcome is stored, parked or given back; streams are collected and texts become bytes", async () => {
  const lease = {} as never;
  const store = {
    isShared: true,
    settle: (_: unknown, outcome: unknown) => ["settle", outcome],
    park: (_: unknown, parking: unknown) => ["park", parking],
    release: (_: unknown, wait: number) => ["release", wait],
  } as unknown as JobStore;
  const settle = (outcome: JobOutcome, job: object = {}) =>
    settleJob(store, { tool, began: false, ...job } as never, lease, outcome) as unknown;
  const json: JobOutcome = { state: "succeeded", result: { kind: "json", json: "1" } };
  expect(settle(json)).toEqual(["settle", json]);
  expect(settle(json, { parking: { until: 1 } })).toEqual(["park", { until: 1 }]);
  expect(settle({ state: "error", error: new ToolError("draining", "") })).toEqual(["release", 0]);
  const problems = [{ path: "/a", expected: "text" }] as never;
  const error = new ToolError("bad-request", "no", { problems, retryAfter: 1 });
  expect(settle({ state: "failed", error })).toEqual([
    "settle",
    { state: "failed", error: { kind: "bad-request", message: "no", problems } },
  ]);
  expect(settle({ state: "failed", error: new ToolError("system", "no") })).toEqual([
    "settle",
    { state: "failed", error: { kind: "system", message: "no" } },
  ]);
  const binary = (content: unknown): JobOutcome =>
    ({ state: "succeeded", result: { kind: "binary", contentType: "a/b", content } }) as JobOutcome;
  expect(settle(binary("é"))).toEqual(["settle", binary(Buffer.from("é"))]);
  const stream = new Blob(["é"]).stream();
  const [, collected] = (await settle(binary(stream))) as [string, { result: { content: Uint8Array } }];
  expect(Buffer.from(collected.result.content).toString()).toBe("é");
});

const record = (more: Partial<JobRecord> = {}): JobRecord =>
  ({ id, tool: "echo", state: "executing", attempt: 1, events: [], ...more }) as JobRecord;
const event = (sequence: number) => ({ sequence, body: { sequence } });

test("a stored job tells its listeners each event once, and its end once", async () => {
  let follows = 0;
  const job = new StoredJob(record({ events: [event(1)] }), tool, () => void follows++);
  expect([job.state, job.hearsEvents, follows]).toEqual(["executing", false, 0]);
  const [heard, ended]: [number[], string[]] = [[], []];
  const stop = job.onEvent(({ sequence }) => heard.push(sequence));
  job.onEvent(({ sequence }) => heard.push(10 * sequence));
  job.onEnd(({ state }) => ended.push(state));
  const { done } = job;
  expect([job.hearsEvents, follows]).toEqual([true, 4]);
  job.update(record({ state: "pending", events: [event(1), event(2)] }));
  stop();
  job.cancel();
  job.update(record({ events: [event(1), event(2), event(3)] }));
  expect([heard, job.state, ended]).toEqual([[1, 10, 2, 20, 30], "executing", []]);
  const problems = [{ path: "/a", expected: "text" }] as never;
  const outcome = { state: "failed", error: { kind: "user-input", message: "no", problems } } as const;
  job.update(record({ state: "failed", outcome, events: [event(4)] }));
  job.update(undefined);
  expect([heard.slice(5), ended, job.state, job.hearsEvents]).toEqual([[40], ["failed"], "failed", false]);
  const { error } = (await done) as { error: ToolError };
  expect([error instanceof ToolError, error.kind, error.message, error.problems]).toEqual([
    true,
    "user-input",
    "no",
    problems,
  ]);
  // Whoever comes later gets the events and the end at once, and nothing is followed.
  job.onEvent(({ sequence }) => heard.push(100 * sequence))();
  job.onEnd(({ state }) => ended.push(state));
  expect([heard.slice(6), ended.length, job.hearsEvents, follows]).toEqual([[400], 2, false, 4]);
});

test("a job that the store has dropped has ended with an error", () => {
  const job = new StoredJob(record({ events: [event(1)] }), tool, () => {});
  job.update(undefined);
  expect([job.state, job.outcome]).toMatchObject([
    "error",
    { state: "error", error: { kind: "not-found", message: "The job does not exist, or has expired." } },
  ]);
  const succeeded = { state: "succeeded", result: { kind: "json", json: "1" } } as const;
  expect(new StoredJob(record({ outcome: succeeded }), tool, () => {}).outcome).toBe(succeeded);
});

const talk = { open: { go: "q", stay: "r" }, asked: { go: "d", stay: "e" }, seen: 1, capabilities: {} } as never;
const reply = (key: string, digest: string) => ({ key, digest, answer: {} });

test("questions are open until they are answered, by the same question's digest", () => {
  const open = (...replies: readonly object[]) => unanswered({ talk, replies: replies as never });
  expect(unanswered({})).toBeUndefined();
  expect(open()).toEqual({ go: "q", stay: "r" });
  // The worker has seen the first reply, and asks again.
  expect(open(reply("go", "d"))).toEqual({ go: "q", stay: "r" });
  expect(open(reply("x", "x"), reply("go", "d"))).toEqual({ stay: "r" });
  expect(open(reply("x", "x"), reply("go", "other"))).toEqual({ go: "q", stay: "r" });
  expect(open(reply("x", "x"), reply("go", "d"), reply("stay", "e"))).toBeUndefined();
});

test("answers go to the job where it runs, or into the store for its open questions alone", async () => {
  const written: unknown[] = [];
  const storeOf = (found: object | undefined, says = "ok") =>
    ({ get: () => found, answer: (_: string, replies: unknown) => (written.push(replies), says) }) as never;
  const stored = record({ talk, owner: "ann" });
  const answers = { go: { action: "accept" }, stay: "no object", gone: {}, constructor: {} } as never;
  const deliver = (store: JobStore, running?: object, owner = "ann") =>
    deliverAnswers(store, running as never, { id, answers, owner });
  expect(await deliver(storeOf(stored))).toBe(true);
  expect(written).toEqual([[{ key: "go", digest: "d", answer: { action: "accept" } }]]);
  expect([await deliver(storeOf(undefined)), await deliver(storeOf(stored), undefined, "bob")]).toEqual([false, false]);
  const delivered: unknown[] = [];
  const client = { deliver: (given: unknown) => delivered.push(given) };
  expect(await deliver(storeOf(stored), { owner: "ann", client })).toBe(true);
  expect(await deliver(storeOf(stored), { owner: "ann" })).toBe(true);
  expect(await deliver(storeOf(stored), { owner: "ann", client: {} })).toBe(true);
  expect(await deliver(storeOf(stored), { owner: "bob", client })).toBe(false);
  // A job that asks nothing takes nothing.
  expect(await deliver(storeOf(record({ owner: "ann" })))).toBe(true);
  expect([delivered, written.length]).toEqual([[answers], 1]);
  await expect(deliver(storeOf(stored, "full"))).rejects.toThrow(
    "The questions and answers of a job have at most 1048576 bytes.",
  );
});

test("a message reaches a job of its sender, or one that waits for whoever has a scope", async () => {
  const waits = [{ name: "go" }, { name: "free", scope: "s" }];
  const tools = new Map([["echo", toolOf({ waits })]]);
  const send = (found: object | undefined, name: string, owner?: string, answer = "ok") => {
    const store = { get: () => found, send: () => answer } as never;
    const sender = owner === undefined ? undefined : { owner, require: () => {} };
    return sendMessage(store, tools, { id, name, body: 1 }, sender);
  };
  const own = record({ owner: "ann" });
  expect([await send(own, "go", "ann"), await send(own, "go"), await send(own, "free", "bob")]).toEqual([
    true,
    true,
    true,
  ]);
  expect(await send(own, "go", "ann", "known")).toBe(false);
  const none = "The job does not exist, or has expired.";
  await expect(send(own, "go", "bob")).rejects.toThrow(none);
  await expect(send(undefined, "go")).rejects.toThrow(none);
  await expect(send(record({ tool: "other" }), "go")).rejects.toThrow(none);
  const over = record({ owner: "ann", outcome: { state: "succeeded" } as never });
  await expect(send(over, "go", "ann")).rejects.toThrow("The job has ended, and takes no more messages.");
});
