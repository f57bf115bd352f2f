import { LLMock } from "@copilotkit/aimock";
import { callTool } from "tenon/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { chat } from "../src/chat.ts";
import { TokenEvent } from "../src/token-event.ts";

const mock = new LLMock({ port: 0 });
const question = "What is a tenon?";
const answer = "The tongue of a joint; it fits into a mortise.";
const messages = [{ role: "user" as const, content: question }];

beforeAll(async () => {
  mock.onMessage(question, { content: answer }, { chunkSize: 12 });
  mock.onMessage("slowly", { content: answer }, { chunkSize: 12, latency: 1000 });
  await mock.start();
});
beforeEach(() => vi.stubEnv("LLM_GATEWAY_PROXY", mock.url));
afterEach(() => {
  vi.unstubAllEnvs();
  mock.clearRequests();
});
afterAll(() => mock.stop());

function tokensOf(events: readonly { readonly [key: string]: unknown }[]): unknown[] {
  return events.filter(({ $schema }) => $schema === TokenEvent.SCHEMA).map(({ text }) => text);
}

describe("chat", () => {
  it("answers, and reports every piece while the model speaks", async () => {
    const { result, events, steps } = await callTool(chat, { messages });
    expect(result).toEqual({
      answer,
      model: "platform-default",
      finishReason: "stop",
      tokens: expect.any(Number) as number,
    });
    expect(tokensOf(events)).toEqual(["The tongue o", "f a joint; i", "t fits into ", "a mortise."]);
    expect(steps).toMatchObject([
      {
        name: "answer",
        started: { message: "Asking platform-default" },
        finished: { message: `Answered with ${answer.length} characters` },
      },
    ]);
  });

  it("sends the conversation and the model that was asked for", async () => {
    await callTool(chat, { messages: [{ role: "system", content: "Be brief." }, ...messages], model: "large" });
    expect(mock.getLastRequest()).toMatchObject({
      path: "/v1/chat/completions",
      body: { model: "large", stream: true, messages: [{ role: "system" }, { role: "user", content: question }] },
    });
  });

  it("stops in the middle of an answer when the job is cancelled", async () => {
    const abort = new AbortController();
    const call = callTool(chat, { messages: [{ role: "user", content: "slowly" }] }, { signal: abort.signal });
    await vi.waitUntil(() => mock.getRequests().length === 1);
    abort.abort(new Error("the user left"));
    await expect(call).rejects.toMatchObject({ kind: "cancelled", message: "the user left" });
  });

  it("refuses an empty conversation", async () => {
    await expect(callTool(chat, { messages: [] })).rejects.toMatchObject({
      kind: "validation",
      problems: [{ path: "/messages" }],
    });
    expect(mock.getRequests()).toEqual([]);
  });

  it("a server that refuses is a system error", async () => {
    mock.nextRequestError(401, { message: "wrong key" });
    await expect(callTool(chat, { messages })).rejects.toMatchObject({ kind: "system", cause: { status: 401 } });
  });

  it("says what to set when nothing is configured", async () => {
    vi.stubEnv("LLM_GATEWAY_PROXY", undefined);
    vi.stubEnv("LLM_API_KEY", undefined);
    vi.stubEnv("HOME", import.meta.dirname);
    await expect(callTool(chat, { messages })).rejects.toMatchObject({
      kind: "system",
      cause: { name: "LlmConfigurationError" },
    });
  });
});
