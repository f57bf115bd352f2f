// fastmcp, stateless over HTTP.
import { FastMCP } from "fastmcp";
import { createServer, type AddressInfo } from "node:net";
import { z } from "zod";
import { reportServer } from "../lib/server-process.ts";
import { isPrime } from "./is-prime.ts";

const count = Number(process.argv[2] ?? 1);
const server = new FastMCP({ name: "bench", version: "1.0.0" });
for (let index = 0; index < count; index++) {
  server.addTool({
    name: index === 0 ? "isPrime" : `isPrime${index}`,
    description: "Tests whether a number is prime.",
    parameters: z.object({
      number: z.number().int().min(0).max(4294967295),
      note: z.string().max(1000).optional(),
      tags: z.array(z.string()).optional(),
    }),
    execute: async ({ number }) => JSON.stringify({ number, isPrime: isPrime(number) }),
  });
}

if (process.argv[3] === "stdio") {
  await server.start({ transportType: "stdio" });
} else {
  const port = await freePort();
  await server.start({
    transportType: "httpStream",
    httpStream: { port, host: "127.0.0.1", stateless: true, enableJsonResponse: true },
  });
  reportServer(port);
}

/** The server does not report its port. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
