import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startBeyondService } from "./beyond-service.ts";

const program = join(inject("bundledServices"), "asking-service.js");
const capabilities = { elicitation: {}, roots: {} };
let url = "";
let urlWithout = "";
let stop: () => Promise<unknown> = async () => {};

beforeAll(async () => {
  const service = await startBeyondService();
  const without = await startBeyondService({ TENON_MCP_SESSIONS: "never" });
  url = service.url;
  urlWithout = without.url;
  stop = () => Promise.all([service.stop(), without.stop()]);
});
afterAll(() => stop());

/** The part of either client that the tests need. */
interface AnyClient {
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<unknown>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  complete(params: object): Promise<unknown>;
  close(): Promise<void>;
}

const answers = (message: string): { action: "accept"; content: { name: string } } => ({
  action: "accept",
  content: { name: message === "Who?" ? "Ann" : "Bob" },
});

async function newClient(mode: "auto" | "legacy", over: "http" | "stdio", address: string = url): Promise<AnyClient> {
  // Clients of both eras declare the same in either; an older server does not offer the extension, and none is used.
  const declared =
    mode === "legacy" ? { ...capabilities, extensions: { "io.modelcontextprotocol/tasks": {} } } : capabilities;
  const client = new Client({ name: "test", version: "1" }, { capabilities: declared, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", ({ params }) => answers(params.message));
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///a" }] }));
  await client.connect(
    over === "http"
      ? new StreamableHTTPClientTransport(new URL(address))
      : new StdioClientTransport({ command: process.execPath, args: [program], stderr: "ignore" }),
  );
  return client as unknown as AnyClient;
}

async function oldClient(over: "http" | "stdio", address: string = url): Promise<AnyClient> {
  const client = new OldClient({ name: "test", version: "1" }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers(params.message));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///a" }] }));
  const transport =
    over === "http"
      ? new OldHttpTransport(new URL(address))
      : new OldStdioTransport({ command: process.execPath, args: [program], stderr: "ignore" });
  await client.connect(transport as never);
  return client as unknown as AnyClient;
}

const connections: readonly (readonly [name: string, connect: () => Promise<AnyClient>, canBeAsked: boolean])[] = [
  ["2.4 modern over HTTP", () => newClient("auto", "http"), true],
  ["2.4 modern over stdio", () => newClient("auto", "stdio"), true],
  ["2.4 legacy over HTTP", () => newClient("legacy", "http"), true],
  ["2.4 legacy over HTTP without sessions", () => newClient("legacy", "http", urlWithout), false],
  ["2.4 legacy over stdio", () => newClient("legacy", "stdio"), true],
  ["1.32 over HTTP", () => oldClient("http"), true],
  ["1.32 over HTTP without sessions", () => oldClient("http", urlWithout), false],
  ["1.32 over stdio", () => oldClient("stdio"), true],
];

describe.each(connections)("client %s", (_, connect, canBeAsked) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  test.runIf(canBeAsked)("tools and prompts ask", async () => {
    const answer = await client.callTool({ name: "ask", arguments: {} });
    expect(answer).toMatchObject({ content: [{ type: "text", text: "Ann and Bob" }] });
    const roots = await client.callTool({ name: "roots", arguments: {} });
    expect(roots).toMatchObject({ content: [{ text: '{"roots":[{"uri":"file:///a"}]}' }] });
    expect(await client.getPrompt({ name: "whom" })).toMatchObject({ messages: [{ content: { text: "Ann" } }] });
  });

  test.runIf(!canBeAsked)("tools say why they cannot ask", async () => {
    const reason = /^The tool asks its user a question, and this client cannot show questions/;
    expect(await client.callTool({ name: "ask", arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(reason) as unknown }],
    });
    await expect(client.callTool({ name: "roots", arguments: {} })).rejects.toMatchObject({ code: -32021 });
  });

  test("a long call without tasks is answered", async () => {
    expect(await client.callTool({ name: "sleep", arguments: { ms: 60 } })).toMatchObject({
      content: [{ text: "slept" }],
    });
  });

  test("contents arrive as they were made", async () => {
    expect(await client.callTool({ name: "contents", arguments: {} })).toMatchObject({
      content: [
        { type: "text", text: "a", annotations: { audience: ["user"] } },
        { type: "resource_link", uri: "https://example.com/x", name: "x" },
        { type: "text", text: "b" },
      ],
    });
  });

  test("prompts are listed, read their arguments from text, and can ask", async () => {
    expect(await client.listPrompts()).toMatchObject({
      prompts: [
        {
          name: "review",
          title: "Review",
          arguments: [
            { name: "language", description: "Language.", required: true },
            { name: "strict", required: false },
          ],
        },
        { name: "whom" },
      ],
    });
    const prompt = { name: "review", arguments: { language: "python", strict: "true" } };
    const messages = [{ role: "user", content: { type: "text", text: "python true" } }];
    expect(await client.getPrompt(prompt)).toMatchObject({ messages });
    const wrong = client.getPrompt({ name: "review", arguments: { language: "cobol" } });
    await expect(wrong).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("/language") as unknown,
    });
    await expect(client.getPrompt({ name: "nope" })).rejects.toMatchObject({ code: -32602 });
  });

  test("resources are listed and read", async () => {
    expect(await client.listResources()).toMatchObject({
      resources: [
        { uri: "notes://all", name: "all", mimeType: "text/markdown", annotations: { priority: 0.5 } },
        { uri: "notes://bytes", name: "bytes", mimeType: "image/png" },
      ],
    });
    expect(await client.listResourceTemplates()).toMatchObject({
      resourceTemplates: [{ uriTemplate: "notes://{id}/data", name: "note", mimeType: "application/json" }],
    });
    const read = async (uri: string): Promise<unknown> =>
      ((await client.readResource({ uri })) as { contents: unknown[] }).contents;
    expect(await read("notes://all")).toEqual([{ uri: "notes://all", mimeType: "text/markdown", text: "# All" }]);
    expect(await read("notes://7/data")).toEqual([
      { uri: "notes://7/data", mimeType: "application/json", text: '{"id":7}' },
    ]);
    expect(await read("notes://bytes")).toEqual([{ uri: "notes://bytes", mimeType: "image/png", blob: "AQID" }]);
    await expect(read("notes://x/data")).rejects.toMatchObject({ code: -32602 });
    await expect(read("notes://none")).rejects.toMatchObject({ data: { uri: "notes://none" } });
  });

  test("arguments are completed from their literals", async () => {
    const complete = async (ref: object, name: string, value: string): Promise<unknown> =>
      ((await client.complete({ ref, argument: { name, value } })) as { completion: { values: unknown } }).completion
        .values;
    const review = { type: "ref/prompt", name: "review" };
    expect(await complete(review, "language", "py")).toEqual(["python", "pytorch"]);
    expect(await complete(review, "strict", "")).toEqual(["true", "false"]);
    expect(await complete(review, "nope", "")).toEqual([]);
    expect(await complete({ type: "ref/resource", uri: "notes://{id}/data" }, "id", "")).toEqual([]);
  });
});
