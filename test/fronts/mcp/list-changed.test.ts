import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { readConfig } from "../../../runtime/service/config/config.ts";
import { Service } from "../../../runtime/service/service.ts";
import { startServer } from "../../../runtime/start/start-server.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./raw-http.ts";

const service = new Service({ name: "Changing tools" });
const version = "1.2.3";
const config = readConfig({ HOST: "127.0.0.1", PORT: "0" }, ["--with-mcp", "--test-without-sidecar"]);

function withTool(name: string): { service: Service; version: string; tools: readonly ReturnType<typeof fakeTool>[] } {
  return { service, version, tools: [fakeTool(() => name, { name })] };
}

test("a client that listens hears of every reload on the connection that it has", async () => {
  const server = await startServer({ ...withTool("first"), mayChange: true }, config);
  const heard: string[][] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: "auto" },
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged: (_error, tools) => void heard.push((tools ?? []).map(({ name }) => name)),
        },
      },
    },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["first"]);
  await server.reload({ ...withTool("second"), mayChange: true });
  await expect.poll(() => heard).toEqual([["second"]]);
  await server.reload({ ...withTool("third"), mayChange: true });
  await expect.poll(() => heard).toEqual([["second"], ["third"]]);
  expect((await client.callTool({ name: "third" })).isError).not.toBe(true);
  await client.close();
  await server.stop();
});

test("a question of an earlier build is answered after a reload, and the tool runs again from its start", async () => {
  const yesOrNo = { schema: { type: "object", properties: { answer: { type: "boolean" } } }, single: true } as const;
  const asking = (name: string): ReturnType<typeof withTool> => ({
    ...withTool(name),
    tools: [
      fakeTool(async (_: unknown, job: JobContext) => `${name} ${await job.ask("?", {}, yesOrNo)}`, { name: "ask" }),
    ],
  });
  const call = async (more: object): Promise<Record<string, unknown>> => {
    const capabilities = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
    const body = modernBody("tools/call", { name: "ask", arguments: {}, ...more, _meta: capabilities });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: { ...headers, ...modernHeaders("tools/call", "ask") },
      body,
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const server = await startServer({ ...asking("first"), mayChange: true }, config);
  const { requestState } = (await call({}))["result"] as { requestState: string };
  await server.reload({ ...asking("second"), mayChange: true });
  const answer = { "question-1": { action: "accept", content: { answer: true } } };
  expect(JSON.stringify(await call({ requestState, inputResponses: answer }))).toContain("second true");
  await server.stop();
});

test("a service that will not change does not say that it may", async () => {
  const server = await startServer(withTool("only"), config);
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  expect(client.getServerCapabilities()?.tools).toEqual({});
  await client.close();
  await server.stop();
});

test.each([
  ["2025-11-25", legacyBody("resources/read", { uri: "notes://one" }), {}],
  ["2026-07-28", modernBody("resources/read", { uri: "notes://one" }), modernHeaders("resources/read", "notes://one")],
])("a resource that is read has the time of a job to end at a stop, by %s", async (_, body, headers) => {
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const read = async (): Promise<string> => {
    begun.resolve();
    await goOn.promise;
    order.push("read");
    return "text";
  };
  const note = { request: null, resultKind: "text", definition: { kind: "resource", uri: "notes://one" } } as const;
  const stopped = new Service({ name: "Stopped", onStop: () => void order.push("onStop") });
  const served = { service: stopped, version, tools: [fakeTool(() => "")], offers: [fakeTool(read, note)] };
  const server = await startServer(served, config);
  const answer = sendRaw(`${server.url}/mcp`, body, headers);
  await begun.promise;
  const stop = server.stop();
  // Longer than answers are waited for when all jobs have ended.
  setTimeout(goOn.resolve, 3000);
  const [message] = messagesOf(await answer);
  expect(message).toMatchObject({ result: { contents: [{ text: "text" }] } });
  await stop;
  expect(order).toEqual(["read", "onStop"]);
});
