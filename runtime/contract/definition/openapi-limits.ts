import type { JsonObject } from "../contract.ts";
import { problemResponses } from "./openapi-shared-components.ts";

const count: JsonObject = { type: "integer", minimum: 0 };

const cleared: JsonObject = {
  type: "object",
  required: ["tool", "limit", "cancelled"],
  properties: {
    tool: { type: "string" },
    limit: { type: "string", description: "The field or the part of the caller that tells the keys apart." },
    cancelled: {
      type: "object",
      required: ["held", "running"],
      properties: {
        held: { ...count, description: "Jobs that waited for their turn." },
        running: { ...count, description: "Jobs that had begun." },
      },
    },
  },
};

/** The route of a service with tools that have a limit. */
export const limitRoutes: Readonly<Record<string, JsonObject>> = {
  "/queue/{tool}": {
    parameters: [{ name: "tool", in: "path", required: true, schema: { type: "string" } }],
    delete: {
      operationId: "service.queue.clear",
      tags: ["Service"],
      summary: "Cancels the jobs of a key of a limit that wait for their turn",
      parameters: [
        {
          name: "key",
          in: "query",
          description:
            "The value that tells the keys apart, or a key as `GET /queue` lists it; without for a limit of all.",
          schema: { type: "string" },
        },
        {
          name: "running",
          in: "query",
          description: "Those that have begun are cancelled too.",
          schema: { type: "boolean", default: false },
        },
      ],
      responses: {
        "200": { description: "How many were cancelled.", content: { "application/json": { schema: cleared } } },
        ...problemResponses(["400", "403", "404"]),
      },
    },
  },
};
