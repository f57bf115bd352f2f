import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPlainRequest } from "../../../../runtime/fronts/mcp/plain/read-request.ts";
import { checkMessageShape } from "../../../../runtime/fronts/mcp/port/message-shape.ts";
import { startHttpService, type HttpService } from "../http-service.ts";
import { protocolExamples } from "../protocol-referee.ts";
import { legacyBody, modernBody } from "../raw-http.ts";
import { createTools, createWitness } from "../tools.ts";
import { badMessages, goodMessages, type SentMessage } from "./messages.ts";
import { agent, answerTo, comparable, linesOf, type ComparableAnswer } from "./two-engines.ts";

/** Made by `npm run conformance -- --record test/fronts/mcp/parity/conformance-messages.json`. */
const recorded = (
  JSON.parse(readFileSync(new URL("conformance-messages.json", import.meta.url), "utf8")) as readonly Omit<
    SentMessage,
    "name"
  >[]
).map((message, index) => ({ ...message, name: `conformance ${index} ${message.body}` }));

let plain: HttpService;
let full: HttpService;

beforeAll(async () => {
  // Sessions have one engine only.
  const env = { TENON_MCP_SESSIONS: "never" };
  [plain, full] = await Promise.all([startHttpService(env), startHttpService(env, { plain: false })]);
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([plain.stop(), full.stop()]);
});

/**
 * Differences of both ways that are meant, with reasons. The SDK answers older clients by a stream of events, even
 * where nothing comes before the answer; they must understand JSON as well, and it costs less on both sides.
 */
function withoutDifferences(answer: ComparableAnswer): ComparableAnswer {
  return { ...answer, type: answer.status === 200 ? "application/json or text/event-stream" : answer.type };
}

/** Answers in which the two ways differ. */
async function differences(messages: readonly SentMessage[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let at = 0; at < messages.length; at += 16) {
    const some = messages.slice(at, at + 16);
    const [ours = [], theirs = []] = await Promise.all(
      [plain.url, full.url].map((url) =>
        Promise.all(some.map(async (message) => withoutDifferences(await answerTo(url, message)))),
      ),
    );
    for (const [index, { name }] of some.entries()) {
      if (!isDeepStrictEqual(ours[index], theirs[index]))
        found.push({ name, ours: ours[index], theirs: theirs[index] });
    }
  }
  return found;
}

describe("over HTTP both engines answer alike", () => {
  test("what clients send", async () => {
    expect(await differences(goodMessages)).toEqual([]);
  });

  test("the same with something wrong in every place", async () => {
    expect(badMessages.length).toBeGreaterThan(900);
    expect(await differences(badMessages)).toEqual([]);
  });

  test("what the official conformance suite sends", async () => {
    expect(recorded.length).toBeGreaterThan(100);
    expect(await differences(recorded)).toEqual([]);
  });

  test("the examples of the protocol's schema", async () => {
    const messages = protocolExamples().flatMap(([file, example]) => asMessages(file, example));
    expect(messages.length).toBeGreaterThan(30);
    expect(await differences(messages)).toEqual([]);
  });

  test("a stream is a stream, and a newer client gets JSON", async () => {
    const call = goodMessages.find(({ body }) => body.includes('"progressToken":"p"') && body.includes('"steps":2'));
    const [list] = goodMessages;
    if (call === undefined || list === undefined) throw new Error("there is no such message");
    expect((await answerTo(plain.url, call)).type).toBe("text/event-stream");
    expect((await answerTo(plain.url, list)).type).toBe("application/json");
  });
});

/** An example with the headers that belong to it, and once without them. */
function asMessages(file: string, example: Record<string, unknown>): readonly SentMessage[] {
  const message = { jsonrpc: "2.0", ...(file.includes("Notification") ? {} : { id: 1 }), ...example };
  const { method, params } = message as { method?: string; params?: Record<string, unknown> };
  const name = params?.["name"] ?? params?.["uri"] ?? params?.["taskId"];
  const headers = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": String(method),
    ...(typeof name === "string" && { "Mcp-Name": name }),
  };
  // It would stay open.
  if (method === "subscriptions/listen") return [];
  const body = JSON.stringify(message);
  return [
    { name: file, headers, body },
    { name: `${file} alone`, headers: {}, body },
  ];
}

describe("over lines both engines answer alike", () => {
  const tools = createTools(createWitness());
  const hello = (capabilities: object): string =>
    legacyBody(
      "initialize",
      { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "c", version: "1" } },
      0,
    );
  const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  const call = (id: number, name: string, args: object, more: object = {}): string =>
    legacyBody("tools/call", { name, arguments: args, ...more }, id);

  const sessions: readonly (readonly [string, readonly string[]])[] = [
    [
      "a modern session",
      [
        modernBody("server/discover"),
        modernBody("tools/list", {}, 2),
        modernBody("tools/call", { name: "echo", arguments: { text: "a" } }, 3),
      ],
    ],
    [
      "a legacy session",
      [
        hello({ roots: {} }),
        initialized,
        legacyBody("tools/list", {}, 1),
        call(2, "isPrime", { number: 7 }),
        call(3, "nope", {}),
      ],
    ],
    [
      "rare methods in between",
      [
        hello({}),
        initialized,
        call(1, "isPrime", { number: 7 }),
        legacyBody("prompts/list", {}, 2),
        call(3, "echo", {}),
        legacyBody("nope", {}, 4),
        legacyBody("ping", {}, 5),
      ],
    ],
    [
      "rare modern methods in between",
      [
        modernBody("tools/call", { name: "echo" }, 1),
        modernBody("tools/list", { cursor: "x" }, 2),
        modernBody("nope", {}, 3),
        modernBody("tools/list", {}, 4),
      ],
    ],
    ["log messages", [hello({}), legacyBody("logging/setLevel", { level: "info" }, 1), call(2, "steps", { steps: 1 })]],
    ["errors only", [hello({}), legacyBody("logging/setLevel", { level: "error" }, 1), call(2, "steps", { steps: 1 })]],
    ["progress", [hello({}), call(2, "steps", { steps: 2 }, { _meta: { progressToken: 7 } })]],
    [
      "modern progress",
      [modernBody("tools/call", { name: "steps", arguments: { steps: 2 }, _meta: { progressToken: "t" } })],
    ],
    [
      "a look, then the older handshake",
      [modernBody("server/discover", {}, 9), hello({}), initialized, call(1, "echo", {})],
    ],
    [
      "an older call, then a newer one",
      [call(1, "echo", {}), modernBody("tools/call", { name: "echo" }, 2), call(3, "echo", {})],
    ],
    ["a newer call, then an older one", [modernBody("tools/call", { name: "echo" }, 2), call(3, "echo", {})]],
    ["a rare method first", [legacyBody("prompts/list", {}, 1), hello({}), call(2, "echo", {})]],
    [
      "a broken envelope first",
      [
        modernBody("tools/list", { _meta: { "io.modelcontextprotocol/clientCapabilities": 1 } }, 1),
        modernBody("tools/list", {}, 2),
      ],
    ],
    ["two handshakes", [hello({}), hello({ sampling: {} }), call(1, "echo", {})]],
  ];

  test.each(sessions)("%s", async (_, messages) => {
    const [ours, theirs] = await Promise.all([
      linesOf(tools, messages, {}),
      linesOf(tools, messages, { plain: false }),
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.length).toBeGreaterThan(0);
  });

  // Any other is passed on as it is; the SDK leaves some of them without an answer.
  test("every plain message by itself", async () => {
    const bodies = new Set([...goodMessages, ...badMessages].map(({ body }) => body));
    const plainOnes = [...bodies].filter((body) => body.startsWith("{") && isPlain(JSON.parse(body)));
    expect(plainOnes.length).toBeGreaterThan(100);
    for (let at = 0; at < plainOnes.length; at += 16) {
      const some = plainOnes.slice(at, at + 16);
      const [ours, theirs] = await Promise.all(
        [{}, { plain: false } as const].map((parts) =>
          Promise.all(some.map(async (body) => [body, await linesOf(tools, [body], parts)])),
        ),
      );
      expect(ours).toEqual(theirs);
    }
  });
});

function isPlain(message: unknown): boolean {
  try {
    checkMessageShape(message);
    return readPlainRequest(message) !== undefined;
  } catch {
    return false;
  }
}

test("ids of jobs are all that is left out", () => {
  expect(comparable({ a: "urn:platform:job:01a200d2-10e4-7214-b06d-6800a0b0a397 x" })).toEqual({ a: "<job> x" });
});

test("the SDK is loaded for what is not plain, and for nothing else", () => {
  const script = new URL("loads.ts", import.meta.url).pathname;
  const output = execFileSync(process.execPath, [script], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  expect(JSON.parse(output)).toEqual({ "plain over HTTP": false, "plain over lines": false, "a rare method": true });
});
