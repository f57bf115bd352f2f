// The official SDK 2.x, whose handler answers both eras.
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { reportServer } from "../lib/server-process.ts";
import { isPrime } from "./is-prime.ts";

const count = Number(process.argv[2] ?? 1);
const inputSchema = z.object({
  number: z.number().int().min(0).max(4294967295),
  note: z.string().max(1000).optional(),
  tags: z.array(z.string()).optional(),
});
const outputSchema = z.object({ number: z.number(), isPrime: z.boolean() });

function createServer(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (let index = 0; index < count; index++) {
    server.registerTool(
      index === 0 ? "isPrime" : `isPrime${index}`,
      { description: "Tests whether a number is prime.", inputSchema, outputSchema },
      ({ number }) => {
        const result = { number, isPrime: isPrime(number) };
        return { content: [{ type: "text" as const, text: JSON.stringify(result) }], structuredContent: result };
      },
    );
  }
  return server;
}

if (process.argv[3] === "stdio") {
  serveStdio(createServer);
} else {
  const handler = createMcpHandler(createServer);
  const listener = getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false });
  const http = process
    .getBuiltinModule("node:http")
    .createServer((request, response) => void listener(request, response));
  http.listen(0, "127.0.0.1", () => reportServer((http.address() as AddressInfo).port));
}
