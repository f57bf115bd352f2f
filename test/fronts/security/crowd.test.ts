import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeTool } from "../../support/fake-tool.ts";
import { serve, type TestServer } from "../../support/serve.ts";
import { legacyBody, modernBody, modernHeaders } from "../mcp/raw-http.ts";

const clients = 200;

let server: TestServer;
beforeAll(async () => {
  // The later a client, the sooner its answer, so that answers cross one another.
  const crossing = fakeTool(
    async ({ text = "" }: { text?: string }) => {
      for (let left = (clients - Number(text.split("-")[1])) % 17; left > 0; left--) await turn();
      return { text };
    },
    { name: "crossing", path: "/crossing", options: { executorOpts: { maxWorkers: 64 } } },
  );
  const direct = fakeTool(({ text = "" }: { text?: string }) => ({ text }), { name: "direct", path: "/direct" });
  server = await serve([crossing, direct], {}, {}, ["--test-without-sidecar", "--with-mcp"]);
});
afterAll(() => server.stop());

/**
 * One call of a client over one of the fronts, always with the same request id. Resolves to the text that came back.
 */
async function call(name: string, text: string, way: number): Promise<unknown> {
  if (way === 0) return ((await (await server.post(`/${name}`, { text })).json()) as { text: unknown }).text;
  const params = { name, arguments: { text } };
  const accept = { accept: "application/json, text/event-stream" };
  const response =
    way === 1
      ? await server.post("/mcp", legacyBody("tools/call", params), accept)
      : await server.post("/mcp", modernBody("tools/call", params), {
          ...accept,
          ...modernHeaders("tools/call", name),
        });
  const body = await response.text();
  const data = body.startsWith("{")
    ? body
    : body
        .split("\n")
        .findLast((line) => line.startsWith("data: {"))
        ?.slice(6);
  const message = JSON.parse(data ?? "null") as { id: unknown; result?: { structuredContent?: { text?: unknown } } };
  return message.id === 1 ? message.result?.structuredContent?.text : message;
}

test.each([
  ["crossing", 2],
  ["direct", 1],
])("200 clients with the same request ids: no swapped answers (%s)", async (name, rounds) => {
  const swapped: unknown[] = [];
  const client = async (index: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const text = `canary-${index}-${round}`;
      const answer = await call(name, text, (index + round) % 3);
      if (answer !== text) swapped.push([text, answer]);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  expect(swapped).toEqual([]);
});
