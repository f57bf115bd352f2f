// Fastify with schemas for request and answer, which it compiles.
import { fastify } from "fastify";
import type { AddressInfo } from "node:net";
import { reportServer } from "../lib/server-process.ts";
import { isPrime } from "./is-prime.ts";

const app = fastify();
app.post<{ Body: { number: number; note?: string; tags?: string[] } }>(
  "/tool",
  {
    schema: {
      body: {
        type: "object",
        properties: {
          number: { type: "integer", minimum: 0, maximum: 4294967295 },
          note: { type: "string", maxLength: 1000 },
          tags: { type: "array", items: { type: "string" } },
        },
        required: ["number"],
      },
      response: {
        200: {
          type: "object",
          properties: { number: { type: "integer" }, isPrime: { type: "boolean" } },
          required: ["number", "isPrime"],
        },
      },
    },
  },
  ({ body }, reply) => reply.send({ number: body.number, isPrime: isPrime(body.number) }),
);
await app.listen({ port: 0, host: "127.0.0.1" });
reportServer((app.server.address() as AddressInfo).port);
