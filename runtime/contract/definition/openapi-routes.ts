import type { JsonObject, JsonSchema } from "../contract.ts";

const schemas = {
  Problem: {
    description: "RFC 9457 problem.",
    type: "object",
    properties: {
      $schema: { type: "string", const: "urn:platform:schema.error.1" },
      type: { type: "string", description: "urn:platform:problem:<kind>" },
      title: { type: "string" },
      status: { type: "integer" },
      detail: { type: "string" },
      "job-id": { type: "string" },
      errors: { type: "array", items: { $ref: "#/components/schemas/InputProblem" } },
    },
    required: ["$schema", "type", "title", "status", "detail"],
  },
  InputProblem: {
    description: "One way in which a request does not match its schema.",
    type: "object",
    properties: {
      path: { type: "string", description: "JSON Pointer; empty for the whole request." },
      expected: { type: "string" },
      value: { description: "What was received, shortened." },
      message: { type: "string" },
    },
    required: ["path", "expected", "message"],
  },
  DeferredJob: {
    description: "A job that goes on.",
    type: "object",
    properties: {
      "job-id": { type: "string" },
      status: { type: "string", enum: ["pending", "executing"] },
      location: { type: "string" },
      "retry-later": { type: "number", description: "Seconds." },
    },
    required: ["job-id", "status", "location", "retry-later"],
  },
  ToolDescription: {
    type: "object",
    properties: {
      $schema: { type: "string", const: "urn:platform:schema.tool.1" },
      id: { type: "string" },
      name: { type: "string" },
      "service-id": { type: "string" },
      description: { type: "string" },
      fn_signature: { type: "string" },
      fn_schema: { type: "object" },
      result_schema: { type: "object" },
      annotations: { type: "object" },
    },
    required: ["$schema", "id", "name", "service-id", "description", "fn_signature", "fn_schema", "annotations"],
  },
} satisfies Record<string, JsonSchema>;

/** Names of component schemas that no tool's type may take. */
export const routeSchemaNames: readonly string[] = Object.keys(schemas);

const problems: Readonly<Record<string, string>> = {
  "400": "The body is not valid JSON, a header is bad, or the tool refused the input.",
  "401": "A valid access token is needed; see WWW-Authenticate.",
  "403": "Host or Origin is not allowed, or the access token does not allow this.",
  "404": "No such job, or it has expired.",
  "409": "The job was cancelled.",
  "413": "The body is too large.",
  "415": "The body is not application/json.",
  "422": "The request does not match its schema; all problems are listed.",
  "500": "The tool failed.",
  "503": "The service is full or about to stop; see Retry-After.",
  "504": "The tool took longer than it may.",
};

const retryHeaders: JsonObject = {
  Location: { schema: { type: "string" }, description: "Where the result will be." },
  "Retry-After": { schema: { type: "integer" }, description: "Seconds." },
  "Retry-Later": { schema: { type: "number" }, description: "Seconds." },
  "Platform-Self-Report-Result": { schema: { type: "string", const: "true" } },
  "job-id": { $ref: "#/components/headers/JobId" },
};

function problemResponse(status: string, description: string): JsonObject {
  const headers =
    status === "503" ? { headers: { "Retry-After": { schema: { type: "integer" }, description: "Seconds." } } } : {};
  return {
    description,
    ...headers,
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

function header(name: string, description: string, schema: JsonSchema): JsonObject {
  return { name, in: "header", required: false, description, schema };
}

/** Components that every document has. */
export const sharedComponents: JsonObject = {
  schemas,
  responses: {
    Deferred: {
      description: "The job is still running; ask again.",
      headers: retryHeaders,
      content: { "application/json": { schema: { $ref: "#/components/schemas/DeferredJob" } } },
    },
    DeferredWithoutBody: { description: "The job is still running; ask again.", headers: retryHeaders },
    ...Object.fromEntries(
      Object.entries(problems).map(([status, text]) => [`Problem${status}`, problemResponse(status, text)]),
    ),
  },
  parameters: {
    Prefer: header("Prefer", "`respond-async` to be answered at once, `wait=N` to wait N seconds.", { type: "string" }),
    Timeout: header("Timeout", "Seconds to wait for the result.", { type: "number", minimum: 0 }),
    IdempotencyKey: header("Idempotency-Key", "The same key and body give the same job.", { type: "string" }),
    JobId: header("job-id", "Name of the job, a plain id or its URN; a repeated one attaches to the job.", {
      type: "string",
    }),
  },
  headers: {
    JobId: { description: "URN of the job.", schema: { type: "string" } },
    ToolVersion: { description: "Version of tenon, which serves the tool.", schema: { type: "string" } },
  },
};

/**
 * Routes of jobs. `prefix` keeps operation names apart when they are listed again under a tool's path, where `answer` is
 * known: the content of a result.
 */
export function jobRoutes(
  prefix: string,
  answer: JsonObject = { content: { "*/*": {} } },
): Readonly<Record<string, JsonObject>> {
  const parameters: readonly JsonObject[] = [
    { name: "id", in: "path", required: true, description: "Id or URN of the job.", schema: { type: "string" } },
  ];
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
          ...responses(["400", "404", "409", "422", "500", "504"]),
        },
      },
      delete: {
        operationId: `${prefix}.jobs.cancel`,
        tags: ["Jobs"],
        summary: "Cancels a job",
        responses: { "202": { description: "The job is being cancelled." }, ...responses(["404"]) },
      },
    },
    "/jobs/{id}/events": {
      parameters,
      get: {
        operationId: `${prefix}.jobs.events`,
        tags: ["Jobs"],
        summary: "Steps, progress, status and result of a job as they happen",
        parameters: [header("Last-Event-ID", "Goes on behind this event.", { type: "string" })],
        responses: {
          "200": { description: "Server-sent events.", content: { "text/event-stream": {} } },
          ...responses(["404"]),
        },
      },
    },
  };
}

function responses(statuses: readonly string[]): JsonObject {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}

function query(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "query", description, schema };
}

/** Routes about the service itself. `secured`: all other routes need an access token. */
export function systemRoutes(secured: boolean): Readonly<Record<string, JsonObject>> {
  const probe = (operationId: string, summary: string, down?: string): JsonObject => ({
    get: {
      operationId,
      tags: ["Service"],
      summary,
      ...(secured && { security: [] }),
      responses: {
        "200": { description: "Yes." },
        ...responses(["403"]),
        ...(down !== undefined && { "503": { description: down } }),
      },
    },
  });
  const page = (operationId: string, summary: string, type: string): JsonObject => ({
    get: {
      operationId,
      tags: ["Service"],
      summary,
      responses: { "200": { description: summary, content: { [type]: {} } }, ...responses(["403"]) },
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
          query("id", "Only the job with this id.", { type: "string" }),
          query("limit", "Jobs of a page.", { type: "integer", minimum: 1, maximum: 500, default: 50 }),
          query("page", "The page that a link to the next one named.", { type: "integer" }),
        ],
        responses: {
          "200": { description: "A page of jobs.", content: { "application/json": {} } },
          ...responses(["400"]),
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
