import { expect, test, vi } from "vitest";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { Conversation } from "../../../../../runtime/job/conversation.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";

const { asks } = vi.hoisted(() => ({ asks: { loaded: Promise.withResolvers<void>() } }));

vi.mock(import("../../../../../runtime/executor/run/ask.ts"), async (original) => {
  await asks.loaded.promise;
  return original();
});

test("a job that asks and sleeps stays in its process while the code for questions is being loaded", async () => {
  const store = createMemoryStore();
  const id: JobUrn = "urn:platform:job:a";
  const slept = deferred();
  const form = { schema: { type: "object", properties: { answer: { type: "boolean" } } }, single: true };
  const tool = fakeTool(
    (_, job) => Promise.race([(job.ask as (...args: unknown[]) => unknown)("Go?", {}, form), job.sleep("1 day")]),
    { definition: { durable: true } },
  );
  const { keep } = store;
  store.keep = async (...given) => {
    const answer = await keep.call(store, ...given);
    slept.resolve();
    return answer;
  };
  const executor = createExecutor({ tools: [tool], store });
  const job = executor.start({ tool, input: {}, id, client: new Conversation({ elicitation: {} }) });
  await slept.promise;
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect((await store.get(id))?.state).toBe("executing");
  asks.loaded.resolve();
  await expect.poll(() => job.questions).toBeDefined();
  await executor.answer(id, { "question-1": { action: "accept", content: { answer: true } } });
  expect(await job.done).toMatchObject({ state: "succeeded", result: { json: "true" } });
  await executor.drain(0);
});
