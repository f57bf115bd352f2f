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
      "waits-for": {
        type: "object",
        description:
          "A message or a time, or its turn: the limit, the number of jobs before it (at most 1000 are counted), and " +
          "when a rate lets it start.",
        properties: {
          message: { type: "string" },
          until: { type: "string", format: "date-time" },
          time: { type: "string", format: "date-time" },
          limit: { type: "string" },
          ahead: { type: "integer" },
        },
      },
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
  "409": "The job was cancelled, or has ended already.",
  "410": "The job has ended, or nothing is kept of it.",
  "413": "The body is too large.",
  "415": "The body is not application/json.",
  "422": "The request does not match its schema; all problems are listed.",
  "429": "As many jobs run as may; see Retry-After.",
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

/** An optional header of a request. */
export function headerParameter(name: string, description: string, schema: JsonSchema): JsonObject {
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
    Prefer: headerParameter("Prefer", "`respond-async` to be answered at once, `wait=N` to wait N seconds.", {
      type: "string",
    }),
    Timeout: headerParameter("Timeout", "Seconds to wait for the result.", { type: "number", minimum: 0 }),
    IdempotencyKey: headerParameter("Idempotency-Key", "The same key and body give the same job.", { type: "string" }),
    JobId: headerParameter("job-id", "Name of the job, a plain id or its URN; a repeated one attaches to the job.", {
      type: "string",
    }),
  },
  headers: {
    JobId: { description: "URN of the job.", schema: { type: "string" } },
    ToolVersion: { description: "Version of tenon, which serves the tool.", schema: { type: "string" } },
  },
};

/** References to the problem responses in {@link sharedComponents}. */
export function problemResponses(statuses: readonly string[]): JsonObject {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}

/** The parameter of all routes of one job. */
export const jobIdParameter: JsonObject = {
  name: "id",
  in: "path",
  required: true,
  description: "Id or URN of the job.",
  schema: { type: "string" },
};
