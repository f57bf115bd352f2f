import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readConfig } from "../../../runtime/service/config/config.ts";
import { createExecutor } from "../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../runtime/executor/store/memory/memory.ts";
import { nodeListener } from "../../../runtime/fronts/http/node/node-exchange.ts";
import { mountMcp } from "../../../runtime/fronts/mcp/http/mount-mcp.ts";
import { Service } from "../../../runtime/service/service.ts";
import { askingTools, offers } from "./beyond-tools.ts";

/** The functions of `beyond-tools.ts` over HTTP, on a port of the system's choice. */
export async function startBeyondService(
  env: Record<string, string> = {},
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const executor = createExecutor({ tools: askingTools, store: createMemoryStore() });
  const config = readConfig(env, ["--with-mcp", "--host=127.0.0.1", "--port=0"]);
  const service = new Service({ name: "Asking tools" });
  const mcp = mountMcp({ service, version: "1.2.3", tools: askingTools, offers, executor, config, bodyLimit: 100_000 });
  const server = createServer(nodeListener((exchange) => mcp.routes.get("/mcp")?.(exchange, undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      await executor.drain(0);
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
