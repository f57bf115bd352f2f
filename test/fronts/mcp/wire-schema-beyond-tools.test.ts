import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBeyondService } from "./beyond-service.ts";
import { createReferee, revisions } from "./protocol-referee.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./raw-http.ts";

type Message = Record<string, unknown>;

/** Requests of both revisions, and what their results are called. */
const requests: readonly (readonly [method: string, params: Message, result: string])[] = [
  ["tools/list", {}, "ListToolsResult"],
  ["tools/call", { name: "contents", arguments: {} }, "CallToolResult"],
  ["prompts/list", {}, "ListPromptsResult"],
  ["prompts/get", { name: "review", arguments: { language: "python" } }, "GetPromptResult"],
  ["resources/list", {}, "ListResourcesResult"],
  ["resources/templates/list", {}, "ListResourceTemplatesResult"],
  ["resources/read", { uri: "notes://all" }, "ReadResourceResult"],
  ["resources/read", { uri: "notes://7/data" }, "ReadResourceResult"],
  ["resources/read", { uri: "notes://bytes" }, "ReadResourceResult"],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "p" } },
    "CompleteResult",
  ],
];

describe.each(revisions)("messages of %s", (revision) => {
  const modern = revision === "2026-07-28";
  const errorsOf = createReferee(revision);
  let service: Awaited<ReturnType<typeof startBeyondService>>;

  beforeAll(async () => {
    service = await startBeyondService();
  });
  afterAll(() => service.stop());

  async function exchange(method: string, params: Message, clientCapabilities: object = {}): Promise<Message[]> {
    const name = params["name"] ?? params["uri"] ?? params["taskId"];
    const _meta = { "io.modelcontextprotocol/clientCapabilities": clientCapabilities };
    const answer = modern
      ? await sendRaw(
          service.url,
          modernBody(method, { ...params, _meta }),
          modernHeaders(method, typeof name === "string" ? name : undefined),
        )
      : await sendRaw(service.url, legacyBody(method, params));
    return messagesOf(answer);
  }

  test.each(requests)("%s %j", async (method, params, result) => {
    const message = (await exchange(method, params)).at(-1);
    expect(errorsOf("JSONRPCResultResponse", message)).toEqual([]);
    expect(errorsOf(result, message?.["result"])).toEqual([]);
  });

  test.each([
    ["prompts/get", { name: "nope" }],
    ["prompts/get", { name: "review", arguments: { language: "cobol" } }],
    ["resources/read", { uri: "notes://none" }],
    ["tools/call", { name: "roots", arguments: {} }],
    ["completion/complete", { ref: { type: "ref/prompt", name: "nope" }, argument: { name: "a", value: "" } }],
  ])("the error of %s %j", async (method, params) => {
    const message = (await exchange(method, params)).at(-1);
    expect(message).toHaveProperty("error");
    expect(errorsOf("JSONRPCErrorResponse", message)).toEqual([]);
  });

  test.runIf(modern)("a question, on a tool and on a prompt", async () => {
    for (const [method, name] of [
      ["tools/call", "ask"],
      ["prompts/get", "whom"],
    ] as const) {
      const [message] = await exchange(method, { name }, { elicitation: {} });
      expect(message?.["result"]).toMatchObject({ resultType: "input_required" });
      expect(errorsOf("InputRequiredResult", message?.["result"])).toEqual([]);
    }
  });

  test.runIf(modern)("a call that becomes a task, up to its result", async () => {
    const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    const [created] = await exchange("tools/call", { name: "sleep", arguments: { ms: 100 } }, tasks);
    expect(created?.["result"]).toMatchObject({ resultType: "task", status: "working" });
    const { taskId } = (created as { result: { taskId: string } }).result;
    const state = async (): Promise<Message> =>
      (await exchange("tasks/get", { taskId }, tasks))[0]?.["result"] as Message;
    await expect.poll(async () => (await state())["status"]).toBe("completed");
    const end = await state();
    expect(end["resultType"]).toBe("complete");
    expect(errorsOf("CallToolResult", { resultType: "complete", ...(end["result"] as object) })).toEqual([]);
    const [, cancelled] = [
      await exchange("tasks/cancel", { taskId }, tasks),
      await exchange("tasks/get", { taskId }, tasks),
    ];
    expect(cancelled[0]?.["result"]).toMatchObject({ status: "completed" });
  });
});
