import { expect, test } from "vitest";
import { checkMessageShape, requestId } from "../../../../../../runtime/fronts/mcp/port/message-shape.ts";

const badId = "Invalid request: `id` must be a string of at most 256 letters or an integer.";

const request = { jsonrpc: "2.0", id: 1, method: "ping" };

test.each([
  [request],
  [{ jsonrpc: "2.0", method: "notifications/initialized" }],
  [{ jsonrpc: "2.0", id: "a", method: "ping", params: {} }],
  [{ jsonrpc: "2.0", id: 1, result: {} }],
  [{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } }],
  [[request, { ...request, id: 2 }]],
])("%j is a message", (message) => {
  expect(() => checkMessageShape(message)).not.toThrow();
});

test.each([
  [null, "Invalid request: a message is an object."],
  ["ping", "Invalid request: a message is an object."],
  [[], "Invalid request: the batch is empty."],
  [Array.from({ length: 101 }, () => request), "Invalid request: a batch has at most 100 messages."],
  [[[request]], "Invalid request: a message is an object."],
  [{ id: 1, method: "ping" }, 'Invalid request: `jsonrpc` must be "2.0".'],
  [{ jsonrpc: "2.0", id: 1, Method: "ping" }, "Invalid request: `method` is missing."],
  [{ jsonrpc: "2.0", id: 1, method: 1 }, "Invalid request: `method` must be a string."],
  [{ jsonrpc: "2.0", id: null, method: "ping" }, badId],
  [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, badId],
  [{ jsonrpc: "2.0", id: "x".repeat(257), method: "ping" }, badId],
  [{ jsonrpc: "2.0", id: 1, method: "ping", params: [] }, "Invalid request: `params` must be an object."],
])("%j is none", (message, text) => {
  expect(() => checkMessageShape(message)).toThrow(expect.objectContaining({ code: -32600, message: text }));
});

test.each([
  [{}, "Invalid parameters of tools/call: `name` must be a string."],
  [{ name: 1 }, "Invalid parameters of tools/call: `name` must be a string."],
  [{ name: "a", arguments: [] }, "Invalid parameters of tools/call: `arguments` must be an object."],
  [{ name: "a", arguments: null }, "Invalid parameters of tools/call: `arguments` must be an object."],
])("a tool call with %j is refused", (params, text) => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  expect(() => checkMessageShape(message)).toThrow(expect.objectContaining({ code: -32602, message: text }));
});

test("an id is only read off a single request", () => {
  expect([requestId(request), requestId([request]), requestId({ id: 1 }), requestId({ method: "x", id: {} })]).toEqual([
    1,
    null,
    null,
    null,
  ]);
});
