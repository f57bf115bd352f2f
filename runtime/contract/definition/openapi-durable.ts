import type { JsonObject, JsonSchema, WaitDefinition } from "../contract.ts";
import { headerParameter, jobIdParameter, problemResponses } from "./openapi-shared-components.ts";

/** A message that jobs wait for, with its schema as a reference into `components`. */
export interface PlacedWait {
  readonly wait: WaitDefinition;
  readonly schema: JsonSchema | undefined;
}

/**
 * Routes of a service with durable tools: messages to their jobs, the stored steps of a job, and a new run of a job.
 */
export function durableRoutes(waits: readonly PlacedWait[]): Readonly<Record<string, JsonObject>> {
  const names = new Map<string, PlacedWait[]>();
  for (const one of waits) names.set(one.wait.name, [...(names.get(one.wait.name) ?? []), one]);
  const messages = [...names].map(([name, own]) => [
    `/jobs/{id}/messages/${encodeURIComponent(name)}`,
    messageRoute(name, own),
  ]);
  return {
    ...(Object.fromEntries(messages) as Record<string, JsonObject>),
    "/jobs/{id}/history": {
      parameters: [jobIdParameter],
      get: {
        operationId: "service.jobs.history",
        tags: ["Jobs"],
        summary: "What a job has kept and was sent, as a test takes it",
        responses: {
          "200": { description: "Kept results, failures and messages.", content: { "application/json": {} } },
          ...problemResponses(["404"]),
        },
      },
    },
    "/jobs/{id}/fork": {
      parameters: [jobIdParameter],
      post: {
        operationId: "service.jobs.fork",
        tags: ["Jobs"],
        summary: "Runs an ended job again, as a new one with what it had kept",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  from: { type: "string", description: "Step from which on nothing is kept: `name` or `name[key]`." },
                },
              },
            },
          },
        },
        responses: {
          "202": { $ref: "#/components/responses/Deferred" },
          ...problemResponses(["400", "404", "410"]),
        },
      },
    },
  };
}

function messageRoute(name: string, waits: readonly PlacedWait[]): JsonObject {
  const schemas = waits.map(({ schema }) => schema).filter((schema) => schema !== undefined);
  const [first = {}] = schemas;
  const isKeyed = waits.some(({ wait }) => wait.keyed === true);
  const key = { name: "key", in: "query", description: "Key of the wait.", schema: { type: "string" } };
  return {
    parameters: [jobIdParameter],
    post: {
      operationId: `service.jobs.send.${name}`,
      tags: ["Jobs"],
      summary: `Sends the message ${name} to a job`,
      parameters: [
        ...(isKeyed ? [key] : []),
        headerParameter("Idempotency-Key", "Makes a repetition one message.", { type: "string" }),
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemas.length > 1 ? { anyOf: schemas } : first } },
      },
      responses: {
        "200": { description: "It was sent before." },
        "202": { description: "It is sent." },
        ...problemResponses(["400", "403", "404", "410", "413", "422"]),
      },
    },
  };
}
