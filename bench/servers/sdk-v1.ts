// The official SDK's last 1.x, stateless over HTTP: a server and a transport for each request, as its examples do.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { reportServer } from "../lib/server-process.ts";
import { isPrime } from "./is-prime.ts";

const count = Number(process.argv[2] ?? 1);

function createServer(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (let index = 0; index < count; index++) {
    server.registerTool(
      index === 0 ? "isPrime" : `isPrime${index}`,
      {
        description: "Tests whether a number is prime.",
        inputSchema: {
          number: z.number().int().min(0).max(4294967295),
          note: z.string().max(1000).optional(),
          tags: z.array(z.string()).optional(),
        },
        outputSchema: { number: z.number(), isPrime: z.boolean() },
      },
      ({ number }) => {
        const result = { number, isPrime: isPrime(number) };
        return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
      },
    );
  }
  return server;
}

if (process.argv[3] === "stdio") {
  await createServer().connect(new StdioServerTransport());
} else {
  const http = process.getBuiltinModule("node:http").createServer(async (request, response) => {
    const server = createServer();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => {
      void transport.close();
      void server.close();
    });
    // Its own type does not fit its own interface under `exactOptionalPropertyTypes`.
    await server.connect(transport as Parameters<McpServer["connect"]>[0]);
    await transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => reportServer((http.address() as AddressInfo).port));
}
