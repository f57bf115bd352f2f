import { existsSync, readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHttpService, type HttpService } from "./http-service.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./raw-http.ts";

const folder = new URL("../../../../shared/mcp-schema/", import.meta.url);
const present = existsSync(folder);
if (!present) console.warn(`Skipped: the protocol's schemas are not at ${folder.pathname}.`);

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

describe.skipIf(!present).each(["2026-07-28", "2025-11-25"])("messages of %s", (revision) => {
  const modern = revision === "2026-07-28";
  let service: HttpService;
  let schemas: Ajv2020;

  beforeAll(async () => {
    service = await startHttpService();
    schemas = new Ajv2020({ strict: false, allErrors: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(schemas);
    schemas.addSchema(JSON.parse(readFileSync(new URL(`${revision}/schema.json`, folder), "utf8")) as object, "mcp");
  });
  afterAll(() => service.stop());

  function errorsOf(name: string, value: unknown): readonly object[] {
    const validate = schemas.getSchema(`mcp#/$defs/${name}`) as ValidateFunction;
    validate(value);
    return validate.errors ?? [];
  }

  async function exchange(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>[]> {
    const name = typeof params["name"] === "string" ? params["name"] : undefined;
    const answer = modern
      ? await sendRaw(service.url, modernBody(method, params), modernHeaders(method, name))
      : await sendRaw(service.url, legacyBody(method, params));
    return messagesOf(answer);
  }

  test("the schemas refuse what is wrong", () => {
    expect(errorsOf("CallToolResult", { content: "text" })).not.toEqual([]);
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
