import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { createExecutor } from "../../../runtime/jobs/executor.ts";
import { createMemoryStore } from "../../../runtime/jobs/store/memory.ts";
import { createHttpRoute } from "../../../runtime/mcp/http-route.ts";
import { createToolPort, type ToolPortOptions } from "../../../runtime/mcp/tool-port.ts";
import { createHttpEngine } from "../../../runtime/mcp/sdk-server.ts";
import { createTools, createWitness, type ToolWitness } from "./tools.ts";

export interface HttpService {
  readonly url: string;
  readonly witness: ToolWitness;
  readonly reported: Error[];
  stop(): Promise<void>;
}

/** A real server with the hand-built tools, on a port of the system's choice. */
export async function startHttpService(
  options: { readonly onPlatform?: boolean } & Partial<ToolPortOptions> = {},
): Promise<HttpService> {
  const witness = createWitness();
  const tools = createTools(witness);
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const reported: Error[] = [];
  const port = createToolPort({
    info: { name: "Test tools", version: "1.2.3" },
    instructions: "Tools for tests.",
    tools,
    start: (submission) => executor.start(submission),
    ...options,
  });
  const engine = createHttpEngine(port, (error) => reported.push(error));
  const route = createHttpRoute({
    port,
    engine: async () => engine,
    readJson: (request) => request.json(),
    onPlatform: options.onPlatform === true,
    report: (error) => reported.push(error),
  });
  const app = new Hono().all("/mcp", (context) => route(context.req.raw));
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false }, () => resolve(listening));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    witness,
    reported,
    async stop() {
      await executor.drain(0);
      await engine.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
