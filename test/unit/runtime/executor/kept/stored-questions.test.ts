import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { Conversation } from "../../../../../runtime/job/conversation.ts";
import { currentJob } from "../../../../../runtime/job/current-job.ts";
import type { Job, JobUrn } from "../../../../../runtime/job/job.ts";
import type { JobClient, Question, Talk } from "../../../../../runtime/job/question.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";

const id: JobUrn = "urn:platform:job:a";
const mebibyte = 1024 * 1024;

beforeAll(async () => {
  loggingInit({ level: "CRITICAL" });
  await loadKept();
});

let store: JobStore;
/** The questions of each write, in order. */
let written: Talk[];
const executors: Executor[] = [];

beforeEach(() => {
  written = [];
  store = createMemoryStore();
  const { ask } = store;
  store.ask = (lease, talk) => {
    written.push(talk);
    return ask.call(store, lease, talk);
  };
});

afterEach(async () => {
  for (const executor of executors.splice(0)) await executor.drain(0);
});

function question(key: string, message = ""): Question {
  return { key, method: "elicitation/create", params: { message }, accepts: () => true };
}

function start(body: (client: JobClient) => unknown): { executor: Executor; job: Job } {
  const tool = fakeTool(() => body(currentJob.getStore()?.client as JobClient));
  const executor = createExecutor({ tools: [tool], store });
  executors.push(executor);
  return { executor, job: executor.start({ tool, input: {}, id, client: new Conversation({ elicitation: {} }) }) };
}

const openKeys = (): string[][] => written.map(({ open }) => Object.keys(open));

test("questions of one turn are stored together and shown, and are gone from the store when they are answered", async () => {
  const rest = deferred();
  const { executor, job } = start(async (client) => {
    await Promise.all([client.ask(question("a")), client.ask(question("b"))]);
    await rest.promise;
    return "end";
  });
  await expect.poll(() => Object.keys(job.questions ?? {})).toEqual(["a", "b"]);
  expect(openKeys()).toEqual([["a", "b"]]);
  await executor.answer(id, { a: { action: "accept" } });
  await executor.answer(id, { b: { action: "accept" } });
  await expect.poll(async () => (await store.get(id))?.talk?.open).toEqual({});
  expect([openKeys(), job.questions]).toEqual([[["a", "b"], ["b"], []], undefined]);
  rest.resolve();
  expect(await job.done).toMatchObject({ state: "succeeded" });
});

test("questions that follow one another are stored one after the other", async () => {
  const { executor, job } = start(async (client) => {
    await client.ask(question("a"));
    await client.ask(question("b"));
    return "end";
  });
  for (const key of ["a", "b"]) {
    await expect.poll(() => Object.keys(job.questions ?? {})).toEqual([key]);
    await executor.answer(id, { [key]: { action: "accept" } });
  }
  expect(await job.done).toMatchObject({ state: "succeeded" });
  expect(openKeys()).toEqual([["a"], [], ["b"], []]);
});

test("a question of more than a mebibyte is not stored, and the job is told why", async () => {
  const { job } = start((client) => client.ask(question("a", "x".repeat(mebibyte))));
  expect(await job.done).toMatchObject({
    state: "error",
    error: {
      kind: "invalid-result",
      message: expect.stringMatching(
        /^The question "a" has 10\d{5} bytes, and the questions and answers of a job have at most 1048576 together\. /,
      ) as string,
    },
  });
  expect(written).toEqual([]);
});

test("an answer of more than a mebibyte ends the job at its next question, with the name of its own", async () => {
  const { executor, job } = start(async (client) => {
    await client.ask(question("a"));
    await client.ask(question("b"));
  });
  await expect.poll(() => job.questions).toBeDefined();
  await executor.answer(id, { a: { action: "accept", content: { answer: "x".repeat(mebibyte) } } });
  expect(await job.done).toMatchObject({
    error: {
      kind: "invalid-result",
      message: expect.stringMatching(/^The answer to the question "a" has 10\d{5} bytes/) as string,
    },
  });
});

test("a job with an open question is not parked, however long its other waits are: an answer would not wake it", async () => {
  const form = {
    schema: { type: "object", properties: { answer: { type: "boolean" } }, required: ["answer"] },
    single: true,
  };
  const tool = fakeTool(
    (_, job) => Promise.race([(job.ask as (...args: unknown[]) => unknown)("Go?", {}, form), job.sleep("1 day")]),
    { definition: { durable: true } },
  );
  const executor = createExecutor({ tools: [tool], store });
  executors.push(executor);
  const job = executor.start({ tool, input: {}, id, client: new Conversation({ elicitation: {} }) });
  await expect.poll(() => job.questions).toBeDefined();
  await expect.poll(async () => (await store.recall(id)).steps).toHaveLength(1);
  // A job is parked some turns of the event loop after its wait is stored.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect((await store.get(id))?.state).toBe("executing");
  await executor.answer(id, { "question-1": { action: "accept", content: { answer: true } } });
  expect(await job.done).toMatchObject({ state: "succeeded", result: { json: "true" } });
});

test("an answer of another caller, or to a job that nobody knows, is not delivered", async () => {
  const { executor, job } = start((client) => client.ask(question("a")));
  await expect.poll(() => job.questions).toBeDefined();
  expect(await executor.answer(id, { a: { action: "accept" } }, "mallory")).toBe(false);
  expect(await executor.answer("urn:platform:job:none", { a: { action: "accept" } })).toBe(false);
  expect(job.questions).toBeDefined();
});
