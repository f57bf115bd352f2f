import { describe, expect, test } from "vitest";
import { unknownSender } from "../../../../../../runtime/fronts/mcp/port/call-context.ts";
import type { McpPort, McpSender, McpStartContext } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { createHttpEngine } from "../../../../../../runtime/fronts/mcp/sdk/sdk-server.ts";
import { calls } from "../../../../../../runtime/fronts/mcp/sdk/sdk-methods.ts";
import { modernBody, modernHeaders } from "../../../../../fronts/mcp/raw-http.ts";

function engineWith(port: Partial<McpPort>): { engine: ReturnType<typeof createHttpEngine>; reported: Error[] } {
  const reported: Error[] = [];
  const whole: McpPort = {
    info: { name: "Test", version: "1" },
    toolsTtl: 5,
    listScope: "public",
    scopesOf: () => [],
    scopes: [],
    listTools: () => ({ tools: [] }),
    startCall(_, __, ___, done) {
      done({ content: [] });
      return () => {};
    },
    headerParameters: () => [],
    ...port,
  };
  return {
    engine: createHttpEngine(
      () => whole,
      (error) => reported.push(error),
    ),
    reported,
  };
}

async function callWith(
  meta: object,
  headers: Record<string, string>,
  sender: Partial<McpSender> = {},
): Promise<McpStartContext> {
  let seen: McpStartContext | undefined;
  const { engine } = engineWith({
    startCall(_, __, context, done) {
      seen = context;
      done({ content: [] });
      return () => {};
    },
  });
  const body = JSON.parse(modernBody("tools/call", { name: "a", _meta: meta })) as unknown;
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...modernHeaders("tools/call", "a"), ...headers },
  });
  const response = await engine.fetch(request, body, { ...unknownSender, ...sender });
  expect(response.status).toBe(200);
  if (seen === undefined) throw new Error("the port was not called");
  return seen;
}

describe("the context of a call", () => {
  const ofRequest = { traceparent: "00-header", tracestate: "h=1" };

  test("has the trace of _meta before that of the headers", async () => {
    const context = await callWith({ traceparent: "00-meta", tracestate: "m=1" }, {}, ofRequest);
    expect([context.traceparent, context.tracestate]).toEqual(["00-meta", "m=1"]);
  });

  test("has the trace of the sender", async () => {
    const context = await callWith({}, {}, ofRequest);
    expect([context.traceparent, context.tracestate]).toEqual(["00-header", "h=1"]);
  });

  test("has the authorization that it was given, not the header's", async () => {
    expect((await callWith({}, { authorization: "Bearer caller" })).authorization).toBeUndefined();
    expect(
      (await callWith({}, { authorization: "Bearer caller" }, { authorization: "Bearer platform" })).authorization,
    ).toBe("Bearer platform");
  });

  test("tells progress only when there is a token, which may be 0", async () => {
    expect((await callWith({}, {})).notifyProgress).toBeUndefined();
    expect((await callWith({ progressToken: 0 }, {})).notifyProgress).toBeTypeOf("function");
  });
});

test("an exception of ours is an internal error without its text", async () => {
  const { engine, reported } = engineWith({
    startCall() {
      throw new Error("secret-canary");
    },
  });
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...modernHeaders("tools/call", "a") },
  });
  const response = await engine.fetch(request, JSON.parse(modernBody("tools/call", { name: "a" })), unknownSender);
  expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } });
  expect(reported.map((error) => error.message)).toEqual(["secret-canary"]);
});

test("a completion with more values than one answer may have says so", async () => {
  const values = Array.from({ length: 249 }, (_, index) => String(index));
  const port = { prompts: { complete: () => values } } as unknown as McpPort;
  const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
  expect(calls["completion/complete"](port)?.(params)).toEqual({
    completion: { values: values.slice(0, 100), total: 249, hasMore: true },
  });
});
