// Fastify with a schema, for `bench/start.ts`.
import fastify from "fastify";

const app = fastify();
const body = {
  type: "object",
  required: ["number"],
  properties: { number: { type: "integer", minimum: 0, maximum: 4_294_967_295 } },
};
app.post("/tool", { schema: { body } }, ({ body: { number } }) => ({ number, isPrime: true }));
console.error(await app.listen({ host: "127.0.0.1", port: 0 }));
