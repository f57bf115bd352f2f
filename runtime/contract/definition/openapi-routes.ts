import type { JsonObject } from "../contract.ts";
import { headerParameter, jobIdParameter, problemResponses } from "./openapi-shared-components.ts";

const text = (description: string): JsonObject => ({ type: "string", description });
const time = (description: string): JsonObject => ({ type: "string", format: "date-time", description });

/** Schema of the answer of `GET /jobs`. */
const jobListSchema: JsonObject = {
  type: "object",
  required: ["items", "at-time", "links"],
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "status", "tool", "attempt"],
        properties: {
          id: { type: "string" },
          status: { enum: ["pending", "executing", "succeeded", "failed", "error", "cancelled"] },
          tool: { type: "string" },
          attempt: { type: "integer" },
          origin: text("Where the job came from, where that is known."),
          "error-kind": text("Kind of the error that ended it."),
          "error-message": text("Beginning of that error's message."),
          request: text("Beginning of its request as JSON, where the caller may see it."),
          "trace-id": { type: "string" },
          "dead-letter": { const: true },
          "requested-at": time("When it was asked for."),
          "started-at": time("Start of its last attempt."),
          "finished-at": time("Its end."),
          attempts: { type: "array", items: { type: "object" } },
        },
      },
    },
    "at-time": time("When the list was read."),
    links: {
      type: "array",
      items: {
        type: "object",
        required: ["rel", "href"],
        properties: { rel: { type: "string" }, href: { type: "string" } },
      },
    },
  },
};

/**
 * Returns the routes of jobs. `prefix` keeps operation names unique when the routes are repeated under a tool's path.
 * `answer`: content of a job's result, which is known below the path of a tool.
 */
export function jobRoutes(
  prefix: string,
  answer: JsonObject = { content: { "*/*": {} } },
): Readonly<Record<string, JsonObject>> {
  const parameters: readonly JsonObject[] = [jobIdParameter];
  return {
    "/jobs/{id}": {
      parameters,
      get: {
        operationId: `${prefix}.jobs.get`,
        tags: ["Jobs"],
        summary: "The result of a job, or its state",
        parameters: [{ $ref: "#/components/parameters/Prefer" }],
        responses: {
          "200": { description: "The result, as the call would have answered.", ...answer },
          "202": { $ref: "#/components/responses/Deferred" },
          ...problemResponses(["400", "404", "409", "422", "500", "504"]),
        },
      },
      delete: {
        operationId: `${prefix}.jobs.cancel`,
        tags: ["Jobs"],
        summary: "Cancels a job",
        responses: { "202": { description: "The job is being cancelled." }, ...problemResponses(["404", "409"]) },
      },
    },
    "/jobs/{id}/events": {
      parameters,
      get: {
        operationId: `${prefix}.jobs.events`,
        tags: ["Jobs"],
        summary: "Steps, progress, status and result of a job as they happen",
        parameters: [headerParameter("Last-Event-ID", "Goes on behind this event.", { type: "string" })],
        responses: {
          "200": { description: "Server-sent events.", content: { "text/event-stream": {} } },
          ...problemResponses(["404"]),
        },
      },
    },
  };
}

function query(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "query", description, schema };
}

/** Returns the routes about the service itself. `secured`: all other routes need an access token, but these do not. */
export function systemRoutes(secured: boolean): Readonly<Record<string, JsonObject>> {
  const probe = (operationId: string, summary: string, down?: string): JsonObject => ({
    get: {
      operationId,
      tags: ["Service"],
      summary,
      ...(secured && { security: [] }),
      responses: {
        "200": { description: "Yes." },
        ...problemResponses(["403"]),
        ...(down !== undefined && { "503": { description: down } }),
      },
    },
  });
  const page = (operationId: string, summary: string, type: string): JsonObject => ({
    get: {
      operationId,
      tags: ["Service"],
      summary,
      responses: { "200": { description: summary, content: { [type]: {} } }, ...problemResponses(["403"]) },
    },
  });
  return {
    "/jobs": {
      get: {
        operationId: "service.jobs.list",
        summary: "The caller's jobs that can be asked for, the latest first",
        parameters: [
          query("tool", "Only jobs of this tool.", { type: "string" }),
          query("status", "Only jobs in this state.", { type: "string" }),
          query("trace", "Only jobs of this trace.", { type: "string" }),
          query("id", "Only the job with this id.", { type: "string" }),
          query("limit", "Jobs of a page.", { type: "integer", minimum: 1, maximum: 500, default: 50 }),
          query("page", "The page that a link to the next one named.", { type: "integer" }),
        ],
        responses: {
          "200": { description: "A page of jobs.", content: { "application/json": { schema: jobListSchema } } },
          ...problemResponses(["400"]),
        },
      },
    },
    "/queue": page("service.queue", "How many jobs wait and run, by tool", "application/json"),
    "/healthz": probe("service.health.live", "Whether the process lives"),
    "/_healtz": probe("service.health.liveAlias", "Whether the process lives; older name"),
    "/readyz": probe("service.health.ready", "Whether the service takes calls", "Not ready, or about to stop."),
    "/openapi.json": page("service.openapi", "This document", "application/json"),
    "/service.json": page("service.definition", "The service definition", "application/json"),
    "/docs": page("service.docs", "The console: a page to read and try it", "text/html"),
  };
}
