import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHttpService, type HttpService } from "./http-service.ts";
import { createReferee, isKnownToSdk, revisions } from "./protocol-referee.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./raw-http.ts";

/** Calls whose answers must be legal messages of the protocol. */
const calls: readonly (readonly [name: string, args: object])[] = [
  ["isPrime", { number: 7 }],
  ["isPrime", { number: "seven" }],
  ["echo", { text: "hi" }],
  ["list", {}],
  ["nothing", {}],
  ["summary", { a: 1 }],
  ["silent", {}],
  ["fail", { kind: "user" }],
  ["fail", { kind: "system" }],
  ["binary", { type: "image/png" }],
  ["binary", { type: "audio/wav" }],
  ["binary", { type: "text/plain", text: "x" }],
  ["bytes", {}],
  ["stream", {}],
];

describe.each(revisions)("messages of %s", (revision) => {
  const modern = revision === "2026-07-28";
  const errorsOf = createReferee(revision);
  let service: HttpService;

  beforeAll(async () => {
    service = await startHttpService();
  });
  afterAll(() => service.stop());

  async function exchange(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>[]> {
    const name = typeof params["name"] === "string" ? params["name"] : undefined;
    const answer = modern
      ? await sendRaw(service.url, modernBody(method, params), modernHeaders(method, name))
      : await sendRaw(service.url, legacyBody(method, params));
    return messagesOf(answer);
  }

  test("the schemas refuse what is wrong", () => {
    expect(errorsOf("CallToolResult", { content: "text" })).not.toEqual([]);
    // An older result has no type.
    expect(errorsOf("CallToolResult", { content: [] }).length > 0).toBe(modern);
    const complete = {
      resultType: "complete",
      content: [{ type: "image", data: "not base64!", mimeType: "image/png" }],
    };
    expect(errorsOf("CallToolResult", complete), "by the SDK alone").not.toEqual([]);
  });

  test("the SDK has a word in it", () => {
    const types = ["JSONRPCResultResponse", "ListToolsResult", "CallToolResult", "ProgressNotification"];
    expect(types.filter(isKnownToSdk)).toEqual(types);
  });

  test("the tool list", async () => {
    const [message] = await exchange("tools/list");
    expect(errorsOf("JSONRPCResultResponse", message)).toEqual([]);
    expect(errorsOf("ListToolsResult", message?.["result"])).toEqual([]);
  });

  test("the beginning", async () => {
    const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const [message] = modern ? await exchange("server/discover") : await exchange("initialize", hello);
    expect(errorsOf(modern ? "DiscoverResult" : "InitializeResult", message?.["result"])).toEqual([]);
  });

  test.each(calls)("%s %j", async (name, args) => {
    const [message] = await exchange("tools/call", { name, arguments: args });
    expect(errorsOf("JSONRPCResultResponse", message)).toEqual([]);
    expect(errorsOf("CallToolResult", message?.["result"])).toEqual([]);
  });

  test("progress", async () => {
    const params = { name: "steps", arguments: { steps: 2 }, _meta: { progressToken: "p" } };
    const messages = await exchange("tools/call", params);
    expect(messages).toHaveLength(5);
    for (const message of messages.slice(0, 4)) expect(errorsOf("ProgressNotification", message)).toEqual([]);
    expect(errorsOf("CallToolResult", messages[4]?.["result"])).toEqual([]);
  });

  test.each([
    ["tools/call", { name: "nope", arguments: {} }],
    ["tools/list", { cursor: "x" }],
    ["tools/call", { name: "echo", arguments: [] }],
    ["nope", {}],
  ])("the error of %s %j", async (method, params) => {
    const [message] = await exchange(method, params);
    expect(errorsOf("JSONRPCErrorResponse", message)).toEqual([]);
  });
});
