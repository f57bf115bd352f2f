import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";

const User = z.object({ id: z.uuid(), name: z.string() });

export async function users(app: FastifyInstance) {
  const server = app.withTypeProvider<ZodTypeProvider>();

  server.get(
    "/users/:id",
    { schema: { description: "Reads a user.", params: z.object({ id: z.uuid() }), response: { 200: User } } },
    async (request, reply) => {
      const { id } = request.params;
      if (id === "0") return reply.code(403).send();
      if (id === "") return reply.status(404).send({ message: "There is no such user." });
      return reply.send({ id, name: "Ada" });
    },
  );

  server.route({
    method: "POST",
    url: "/users",
    schema: { summary: "Adds users.", body: z.array(User).min(1) },
    handler: async (request, reply) => {
      reply.code(201).send(request.body.length);
    },
  });
}
