import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { llmTool, recordedJob } from "../../../../../runtime/kits/testing/index.ts";

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.onMessage("hello", { content: "Good day." });
  vi.stubEnv("LLM_GATEWAY_PROXY", await mock.start());
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await mock.stop();
});

test("llmTool asks the deployment's model, and reports what it took", async () => {
  const { job, steps } = recordedJob();
  const { messages, usage } = await llmTool({ messages: [{ role: "user", content: "hello" }] }, job);
  expect(messages).toEqual([{ role: "assistant", content: "Good day." }]);
  expect(usage?.total_tokens).toBeGreaterThan(0);
  expect(mock.getLastRequest()?.body).toMatchObject({ model: "platform-default" });
  expect(steps).toMatchObject([
    { name: "llm", started: { message: "Asking platform-default" }, finished: { message: "Answered", ...usage } },
  ]);
  await llmTool({ messages: [{ role: "user", content: "hello" }], model: "other" }, job);
  expect(mock.getLastRequest()?.body).toMatchObject({ model: "other" });
});
