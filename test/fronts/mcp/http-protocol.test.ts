import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHttpService, type HttpService } from "./http-service.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./raw-http.ts";

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.stop());

const call = (name: unknown, args?: unknown): Record<string, unknown> => ({ name, arguments: args });
const list = legacyBody("tools/list");
const exactly = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`);

describe("faults have their status and code", () => {
  test.each<[string, string | Uint8Array, Record<string, string>, number, number, string | RegExp]>([
    ["no JSON", "{", {}, 400, -32700, /^The request body is not valid JSON/],
    ["an empty body", "", {}, 400, -32700, "The request body is empty; send JSON, for example {}."],
    [
      "bytes that are no UTF-8",
      new Uint8Array([0x22, 0xff, 0x22]),
      {},
      400,
      -32700,
      "The request body is not valid UTF-8.",
    ],
    ["deep nesting", "[".repeat(5000), {}, 400, -32600, "The request is nested deeper than 512 levels."],
    [
      "__proto__ in the arguments",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"text":"x"}}}}',
      {},
      400,
      -32600,
      'The request has a key "__proto__", which is not allowed.',
    ],
    ["a body over the limit", "x".repeat(100_001), {}, 413, -32000, "The request body is larger than 100000 bytes."],
    [
      "another media type",
      list,
      { "Content-Type": "text/plain" },
      415,
      -32000,
      'Content-Type must be application/json, not "text/plain".',
    ],
    [
      "a compressed body",
      list,
      { "Content-Encoding": "gzip" },
      415,
      -32000,
      "The body must not be encoded: leave Content-Encoding out.",
    ],
    ["no message", '{"hello":1}', {}, 400, -32600, 'Invalid request: `jsonrpc` must be "2.0".'],
    [
      "a method in another case",
      '{"jsonrpc":"2.0","id":1,"Method":"tools/list"}',
      {},
      400,
      -32600,
      "Invalid request: `method` is missing.",
    ],
    [
      "arguments that are no object",
      legacyBody("tools/call", call("echo", [1])),
      {},
      400,
      -32602,
      /`arguments` must be an object/,
    ],
    ["a call without a name", legacyBody("tools/call", call(1)), {}, 400, -32602, /`name` must be a string/],
    [
      "an unknown revision",
      list,
      { "MCP-Protocol-Version": "1999-01-01" },
      400,
      -32000,
      /Unsupported protocol version: 1999-01-01/,
    ],
    ["an Accept without events", list, { Accept: "application/json" }, 406, -32000, /Not Acceptable/],
    [
      "a modern request with another name in its header",
      modernBody("tools/call", call("echo", {})),
      modernHeaders("tools/call", "isPrime"),
      400,
      -32020,
      /Mcp-Name/,
    ],
    [
      "a modern request without its method header",
      modernBody("tools/list"),
      { "MCP-Protocol-Version": "2026-07-28" },
      400,
      -32020,
      /Mcp-Method/,
    ],
    [
      "a modern request without its version header",
      modernBody("tools/list"),
      { "Mcp-Method": "tools/list" },
      400,
      -32020,
      /MCP-Protocol-Version/,
    ],
    [
      "a modern request with a missing parameter header",
      modernBody("tools/call", call("routed", { region: "eu" })),
      modernHeaders("tools/call", "routed"),
      400,
      -32020,
      "The body has a value for `region`, but the header Mcp-Param-Region is missing.",
    ],
    [
      "a modern request with another parameter header",
      modernBody("tools/call", call("routed", { region: "eu" })),
      { ...modernHeaders("tools/call", "routed"), "Mcp-Param-Region": "us" },
      400,
      -32020,
      "The header Mcp-Param-Region and `region` of the body disagree.",
    ],
    ["an unknown modern method", modernBody("nope"), modernHeaders("nope"), 404, -32601, "Method not found"],
    [
      "a revision to come",
      modernBody("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01" } }),
      { ...modernHeaders("tools/list"), "MCP-Protocol-Version": "2099-01-01" },
      400,
      -32022,
      "Unsupported protocol version: 2099-01-01",
    ],
    ["a modern header without the claim", list, modernHeaders("tools/list"), 400, -32602, /_meta/],
    [
      "a modern cursor that is none",
      modernBody("tools/list", { cursor: "x" }),
      modernHeaders("tools/list"),
      200,
      -32602,
      /^Invalid cursor/,
    ],
    ["a legacy cursor that is none", legacyBody("tools/list", { cursor: "x" }), {}, 200, -32602, /^Invalid cursor/],
    [
      "an unknown modern tool",
      modernBody("tools/call", call("nope", {})),
      modernHeaders("tools/call", "nope"),
      200,
      -32602,
      "Unknown tool: nope",
    ],
    ["an unknown legacy tool", legacyBody("tools/call", call("nope", {})), {}, 200, -32602, "Unknown tool: nope"],
    ["an unknown legacy method", legacyBody("prompts/list"), {}, 200, -32601, "Method not found"],
  ])("%s", async (_, body, headers, status, code, message) => {
    const answer = await sendRaw(service.url, body, headers);
    expect(answer.status).toBe(status);
    expect(messagesOf(answer)).toEqual([
      expect.objectContaining({
        jsonrpc: "2.0",
        error: expect.objectContaining({
          code,
          message: expect.stringMatching(typeof message === "string" ? exactly(message) : message) as unknown,
        }) as unknown,
      }),
    ]);
  });

  test.each(["GET", "DELETE", "PUT"])("%s is no method of the endpoint", async (method) => {
    const answer = await sendRaw(service.url, undefined, {}, method);
    expect([answer.status, answer.headers["allow"]]).toEqual([405, "POST"]);
  });
});

describe("Host and Origin", () => {
  test.each([
    ["a foreign Host", { Host: "evil.example.com" }, 403],
    ["a foreign Origin", { Origin: "http://evil.example.com" }, 403],
    ["the Origin null", { Origin: "null" }, 403],
    ["a Host of this machine", { Host: "localhost:8080" }, 200],
    ["the service's own Origin", { Host: "localhost:8080", Origin: "http://localhost:8080" }, 200],
    ["an Origin of another port", { Host: "localhost:8080", Origin: "http://localhost:5173" }, 403],
  ])("%s", async (_, headers, status) => {
    // Long and broken, so that a check after the body would answer otherwise.
    const body = status === 403 ? "{".repeat(200_000) : list;
    expect((await sendRaw(service.url, body, headers)).status).toBe(status);
  });
});

describe("older revisions need no handshake", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("%s", async (revision) => {
    const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "old", version: "1" } };
    const initialized = await sendRaw(service.url, legacyBody("initialize", hello));
    expect(messagesOf(initialized)).toMatchObject([
      { result: { protocolVersion: revision, capabilities: { tools: {} } } },
    ]);
    expect(initialized.headers["mcp-session-id"]).toBeUndefined();
    const called = await sendRaw(service.url, legacyBody("tools/call", call("echo", { text: "hi" })), {
      "MCP-Protocol-Version": revision,
      "Mcp-Session-Id": "made-up",
    });
    expect(messagesOf(called)).toMatchObject([{ id: 1, result: { content: [{ type: "text", text: "hi" }] } }]);
  });

  test("a call without anything works, from curl too", async () => {
    const answer = await sendRaw(service.url, legacyBody("tools/call", call("echo", { text: "hi" })), {
      Accept: "*/*",
    });
    expect(messagesOf(answer)).toMatchObject([{ result: { content: [{ type: "text", text: "hi" }] } }]);
  });

  test("a batch is answered message by message", async () => {
    const batch = `[${legacyBody("ping", undefined, "a")},${legacyBody("tools/call", call("echo", { text: "hi" }), "b")}]`;
    const messages = messagesOf(await sendRaw(service.url, batch));
    expect(messages.map((message) => message["id"]).toSorted()).toEqual(["a", "b"]);
  });

  test("a notification is taken", async () => {
    expect((await sendRaw(service.url, '{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
  });
});

describe("2026-07-28", () => {
  test("discover says what there is, and for how long", async () => {
    const answer = await sendRaw(service.url, modernBody("server/discover"), modernHeaders("server/discover"));
    expect(messagesOf(answer)).toMatchObject([
      {
        result: {
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
          ttlMs: 3_600_000,
          cacheScope: "public",
          _meta: {
            "io.modelcontextprotocol/serverInfo": {
              name: "Test tools",
              version: "1.2.3",
              description: "Tools for tests.",
            },
          },
        },
      },
    ]);
  });

  test("the tool list has cache hints and does not promise changes", async () => {
    const [message] = messagesOf(await sendRaw(service.url, modernBody("tools/list"), modernHeaders("tools/list")));
    expect(message).toMatchObject({ result: { resultType: "complete", ttlMs: 3_600_000, cacheScope: "public" } });
    expect(JSON.stringify(message)).not.toContain("listChanged");
  });

  test("two lists are the same bytes", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => sendRaw(service.url, modernBody("tools/list"), modernHeaders("tools/list"))),
    );
    expect(one?.body).toBe(two?.body);
  });

  test("a header in base64 is decoded before it is compared", async () => {
    const name = `=?base64?${Buffer.from("routed").toString("base64")}?=`;
    const region = `=?base64?${Buffer.from("Zürich").toString("base64")}?=`;
    const answer = await sendRaw(service.url, modernBody("tools/call", call("routed", { region: "Zürich" })), {
      ...modernHeaders("tools/call", name),
      "Mcp-Param-Region": region,
    });
    expect(messagesOf(answer)).toMatchObject([{ result: { structuredContent: { region: "Zürich" } } }]);
  });

  test("a plain answer is plain JSON, one with progress is a stream", async () => {
    const plain = await sendRaw(
      service.url,
      modernBody("tools/call", call("echo", {})),
      modernHeaders("tools/call", "echo"),
    );
    expect(plain.headers["content-type"]).toBe("application/json");
    const body = modernBody("tools/call", { ...call("steps", { steps: 1 }), _meta: { progressToken: "p" } });
    const stream = await sendRaw(service.url, body, modernHeaders("tools/call", "steps"));
    expect(stream.headers["content-type"]).toBe("text/event-stream");
    expect(messagesOf(stream)).toMatchObject([
      { method: "notifications/progress", params: { progressToken: "p", progress: 1, message: "Step 1 begins" } },
      { method: "notifications/progress", params: { progressToken: "p", progress: 2, message: "step 1" } },
      { id: 1, result: { structuredContent: { steps: 1 } } },
    ]);
  });

  test("without a token there is no progress", async () => {
    const answer = await sendRaw(
      service.url,
      modernBody("tools/call", call("steps", { steps: 3 })),
      modernHeaders("tools/call", "steps"),
    );
    expect(messagesOf(answer)).toHaveLength(1);
  });
});

test("clients that use the same request id get their own answers", async () => {
  const texts = Array.from({ length: 200 }, (_, index) => `canary-${index}`);
  const answers = await Promise.all(
    texts.map((text, index) =>
      index % 2 === 0
        ? sendRaw(service.url, legacyBody("tools/call", call("echo", { text })))
        : sendRaw(service.url, modernBody("tools/call", call("echo", { text })), modernHeaders("tools/call", "echo")),
    ),
  );
  expect(answers.map((answer) => messagesOf(answer)[0]?.["result"])).toEqual(
    texts.map((text) => expect.objectContaining({ content: [{ type: "text", text }] }) as unknown),
  );
});

describe("parameters that are not valid", () => {
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "1" } };
  test.each<[string, object]>([
    ["initialize", {}],
    ["initialize", { ...hello, protocolVersion: 1 }],
    ["initialize", { ...hello, capabilities: [] }],
    ["initialize", { ...hello, clientInfo: { name: 1 } }],
    ["tools/list", { cursor: 1 }],
    ["tools/list", { _meta: 1 }],
    ["tools/call", { name: 1 }],
    ["tools/call", { name: "greet", _meta: { progressToken: {} } }],
    ["logging/setLevel", { level: "loud" }],
    ["logging/setLevel", {}],
    ["ping", { _meta: "x" }],
  ])("of older clients are -32602 and one sentence: %s %j", async (method, params) => {
    const [message] = messagesOf(await sendRaw(service.url, legacyBody(method, params as never)));
    const { code, message: text } = (message as { error: { code: number; message: string } }).error;
    expect([method, code]).toEqual([method, -32602]);
    expect(text).toMatch(/^Invalid parameters of [^\n[{]{5,300}\.$/);
  });

  test("two requests of a batch with one id are refused", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const answer = await sendRaw(service.url, JSON.stringify([ping, ping]));
    expect(messagesOf(answer)).toMatchObject([
      { error: { code: -32600, message: expect.stringContaining("same `id`") } },
    ]);
  });
});
