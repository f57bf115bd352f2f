import { expect, test } from "vitest";
import { slimInitialize } from "../../../../../../runtime/fronts/mcp/sessions/slim-initialize.ts";

const message = { jsonrpc: "2.0", id: 1, method: "initialize" };

test("of what a client says of itself a session keeps what it uses, and little of it", () => {
  const long = "n".repeat(900_000);
  const slim = slimInitialize({
    ...message,
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {
        elicitation: { form: {} },
        roots: { listChanged: true, more: long },
        experimental: { [long]: {} },
      },
      clientInfo: { name: long, version: long, description: long },
      _meta: { long },
    },
  });
  expect(slim).toEqual({
    ...message,
    params: {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: { form: {} }, roots: {} },
      clientInfo: { name: "n".repeat(128), version: "n".repeat(128) },
    },
  });
});

test("a message that is not valid stays so, for the answer that it gets", () => {
  for (const params of [undefined, {}, { clientInfo: {}, capabilities: 1 }, { clientInfo: [], capabilities: {} }])
    expect(slimInitialize({ ...message, params })).toEqual({ ...message, params });
  expect(
    slimInitialize({ ...message, params: { protocolVersion: 1, clientInfo: { name: 2 }, capabilities: { roots: 3 } } }),
  ).toEqual({
    ...message,
    params: { protocolVersion: 1, clientInfo: { name: 2, version: undefined }, capabilities: { roots: 3 } },
  });
});
