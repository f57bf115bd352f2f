import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import type { JobStore, SubmitAnswer } from "../../../../../runtime/executor/store/job-store.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";

const id: JobUrn = "urn:platform:job:a";

beforeAll(async () => {
  loggingInit({ level: "CRITICAL" });
  await loadKept();
});

/** A store whose answer to a submission comes when the test lets it come. */
function slowStore() {
  const store = createMemoryStore();
  const gate = deferred();
  const submit = store.submit.bind(store);
  store.submit = async (...args): Promise<SubmitAnswer> => {
    const answer = await submit(...args);
    await gate.promise;
    return answer;
  };
  return { store, answer: gate.resolve };
}

function open(store: JobStore, call: () => unknown) {
  const tool = fakeTool(call);
  const executor = createExecutor({ tools: [tool], store });
  onTestFinished(async () => void (await executor.drain(0)));
  return { tool, executor };
}

test("a running job that ends while the store has not answered yet is stored with its outcome", async () => {
  const { store, answer } = slowStore();
  const gate = deferred();
  const { tool, executor } = open(store, () => gate.promise.then(() => 7));
  const job = executor.start({ tool, input: {} });
  const kept = executor.keep(job);
  gate.resolve();
  await job.done;
  answer();
  await kept;
  expect(await store.get(job.id)).toMatchObject({ outcome: { state: "succeeded", result: { json: "7" } } });
});

test("a job with an id that is cancelled while the store has not answered yet is cancelled in the store", async () => {
  const { store, answer } = slowStore();
  const { tool, executor } = open(store, () => expect.fail("it runs"));
  const job = executor.start({ tool, input: {}, id });
  job.cancel("No more.");
  answer();
  expect(await job.done).toMatchObject({ state: "cancelled" });
  await expect.poll(async () => (await store.get(id))?.state).toBe("cancelled");
});

test("a store that gives no lease cannot keep a job that runs: it goes on, and the reason is in the error", async () => {
  const store = createMemoryStore();
  store.submit = () => ({ kind: "created" });
  const { tool, executor } = open(store, () => new Promise(() => {}));
  const job = executor.start({ tool, input: {} });
  await expect(executor.keep(job)).rejects.toMatchObject({
    kind: "system",
    message: "The job could not be kept.",
    cause: { message: "the store gave no lease" },
  });
  expect([job.state, await executor.find(job.id)]).toEqual(["executing", undefined]);
  job.cancel("end of test");
});

test("a job that is taken up is read from the store only if an earlier attempt has reported events", async () => {
  const store = createMemoryStore();
  const read: string[] = [];
  // The store's own reads do not count.
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === "get") return (urn: JobUrn) => (read.push(urn), target.get(urn));
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  const { executor } = open(counted, () => 1);
  await store.submit({ id, tool: "echo", input: {}, ttl: 60, maxAttempts: 3 });
  await store.submit({ id: "urn:platform:job:b", tool: "echo", input: {}, ttl: 60, maxAttempts: 3 });
  const earlier = await store.claim({ id: "urn:platform:job:b", seconds: 15 });
  if (earlier === undefined) throw new Error("no claim");
  await store.progress(earlier.lease, [{ sequence: 1, body: {} }]);
  await store.release(earlier.lease, 0);
  await executor.resume();
  await executor.drain(1000);
  expect(read).toEqual(["urn:platform:job:b"]);
});
