import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readConfig } from "../../../runtime/service/config/config.ts";
import { middleware } from "../../../runtime/fronts/http/middleware/middleware.ts";
import { createAccessRules } from "../../../runtime/fronts/http/middleware/access-rules.ts";
import type { Exchange } from "../../../runtime/fronts/http/exchange.ts";
import { nodeListener } from "../../../runtime/fronts/http/node/node-exchange.ts";
import { createExecutor } from "../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../runtime/executor/store/memory/memory.ts";
import { type McpHttpParts, mountMcp } from "../../../runtime/fronts/mcp/http/mount-mcp.ts";
import { Service } from "../../../runtime/service/service.ts";
import { createTools, createWitness, type ToolWitness } from "./tools.ts";

export interface HttpService {
  readonly url: string;
  readonly witness: ToolWitness;
  stop(): Promise<void>;
}

/** A real server with the hand-built tools behind the middleware, on a port of the system's choice. */
export async function startHttpService(
  env: Record<string, string> = {},
  parts: McpHttpParts = {},
  service = new Service({ name: "Test tools", description: "Tools for tests." }),
): Promise<HttpService> {
  const witness = createWitness();
  const tools = createTools(witness);
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const config = readConfig(env, ["--with-mcp", "--host=127.0.0.1", "--port=0"]);
  const mcp = mountMcp({ service, version: "1.2.3", tools, executor, config, bodyLimit: 100_000 }, parts);
  const routes = {
    routes: mcp.routes,
    fallback: (exchange: Exchange) => exchange.answer({ status: 404, headers: [], body: "no route" }),
    refuse: mcp.refuse,
  };
  const server = createServer(nodeListener(middleware({ core: routes }, createAccessRules(config))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    witness,
    async stop() {
      await executor.drain(0);
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
