import type { JsonObject, JsonSchema, JsonValue, ToolDefinition } from "../contract.ts";
import { componentSchemas } from "./openapi-components.ts";
import { withoutUnused } from "./openapi-unused.ts";
import { jobRoutes, systemRoutes } from "./openapi-routes.ts";
import { problemResponses, sharedComponents } from "./openapi-shared-components.ts";
import type { ServiceTexts } from "./service-definition.ts";

/** A tool with its resolved path and the author's options for its operation. */
export interface OpenApiTool {
  readonly definition: ToolDefinition;
  readonly path: string;
  /** `ToolOptions.name`: the operation's name; default the tool's. */
  readonly operationName?: string;
  /** `ToolOptions.tags`. */
  readonly tags?: readonly string[];
}

export interface OpenApiInput {
  readonly service: ServiceTexts;
  readonly tools: readonly OpenApiTool[];
  /** `ServerOptions.deferredStatus`; default 202. */
  readonly deferredStatus?: 202 | 204;
  /** Scopes that every request needs; undefined when callers are not authenticated. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * OpenAPI 3.1 of all routes of a REST service. The schemas are the full ones, their definitions moved to `components`.
 */
export function openApiDocument({ service, tools, deferredStatus = 202, scopes }: OpenApiInput): JsonObject {
  const { schemas, placed } = componentSchemas(
    tools.map((tool) => ({ definition: tool.definition, name: operationId(tool) })),
  );
  const paths: Record<string, JsonObject> = {};
  for (const [index, tool] of tools.entries()) {
    const [request, result] = [placed[index]?.request, placed[index]?.result];
    const secured = security(scopes, tool.definition);
    paths[tool.path] = {
      post: { ...callOperation(tool, { request, result }, deferredStatus, scopes !== undefined), ...secured },
      get: { ...describeOperation(tool), ...secured },
    };
    // The same job under the tool's own path, for gateways that route by it; its result is known there.
    const answer = resultContent(tool.definition, result);
    const { delete: _cancel, ...job } = jobRoutes(operationId(tool), answer)["/jobs/{id}"] ?? {};
    paths[`${tool.path}/jobs/{id}`] = job;
  }
  if (tools.length > 1 && paths["/tool"] === undefined) paths["/tool"] = { get: listOperation() };
  Object.assign(paths, jobRoutes("service"), systemRoutes(scopes !== undefined));
  const components = {
    ...sharedComponents,
    schemas: { ...(sharedComponents["schemas"] as JsonObject), ...schemas },
  };
  return {
    openapi: "3.1.1",
    info: {
      title: service.name,
      version: service.version ?? "0.0.0",
      ...(service.description !== undefined && { description: service.description }),
      ...(service.contact !== undefined && { contact: { ...service.contact } }),
      ...(service.license !== undefined && { license: { ...service.license } }),
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/", description: "The origin that this document comes from." }],
    tags: tagList(tools),
    security: scopes === undefined ? [] : [{ AccessToken: scopes }],
    paths,
    components: {
      ...withoutUnused(components, paths),
      ...(scopes !== undefined && { securitySchemes: { AccessToken: accessToken } }),
    },
  };
}

const accessToken: JsonObject = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description:
    "An access token (RFC 9068) of the authorisation server that `/.well-known/oauth-protected-resource` names. " +
    "The names in `security` are scopes.",
};

/** Security requirements of a tool, beyond those of every request. */
function security(scopes: readonly string[] | undefined, definition: ToolDefinition): JsonObject {
  if (scopes === undefined || definition.scopes === undefined) return {};
  return { security: [{ AccessToken: [...new Set([...scopes, ...definition.scopes])] }] };
}

/** Every tag of the document, with its text where it is ours. */
function tagList(tools: readonly OpenApiTool[]): readonly JsonObject[] {
  const names = new Set(tools.flatMap(tagsOf));
  return [
    ...[...names].map((name) => ({ name, ...(name === toolTag && { description: "Calls of tools." }) })),
    { name: "Jobs", description: "Results of calls that take longer, and their progress." },
    { name: "Service", description: "Health, and documents about the service." },
  ];
}

const toolTag = "Tools";

function tagsOf({ tags = [] }: OpenApiTool): readonly string[] {
  return tags.length === 0 ? [toolTag] : tags;
}

function operationId(tool: OpenApiTool): string {
  return tool.operationName ?? tool.definition.name;
}

function head(tool: OpenApiTool): JsonObject {
  const { title, name, description, deprecated } = tool.definition;
  return {
    tags: [...tagsOf(tool)],
    summary: title ?? firstSentence(description) ?? name,
    description,
    ...(deprecated !== undefined && { deprecated: true }),
  };
}

function firstSentence(text: string): string | undefined {
  const line = text.split("\n", 1)[0]?.trim() ?? "";
  const sentence = /^(.*?[.!?])(?:\s|$)/.exec(line)?.[1] ?? line;
  return sentence === "" ? undefined : sentence.slice(0, 120);
}

function callOperation(
  tool: OpenApiTool,
  { request, result }: { readonly request: JsonSchema | undefined; readonly result: JsonSchema | undefined },
  deferred: number,
  hasCallers: boolean,
): JsonObject {
  const { definition } = tool;
  return {
    operationId: operationId(tool),
    ...head(tool),
    parameters: ["Prefer", "Timeout", "IdempotencyKey", "JobId"].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    ...(request !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: request, ...examples(definition) } } },
    }),
    responses: {
      "200": { description: "The result.", headers: jobHeaders, ...resultContent(definition, result) },
      [deferred]: { $ref: `#/components/responses/${deferred === 204 ? "DeferredWithoutBody" : "Deferred"}` },
      ...problemResponses([
        "400",
        ...(hasCallers ? ["401"] : []),
        "403",
        "409",
        "413",
        "415",
        "422",
        "500",
        "503",
        "504",
      ]),
    },
  };
}

const jobHeaders: JsonObject = {
  "job-id": { $ref: "#/components/headers/JobId" },
  "Platform-Tool-Version": { $ref: "#/components/headers/ToolVersion" },
};

function examples({ examples: given }: ToolDefinition): JsonObject {
  if (given === undefined || given.length === 0) return {};
  const named = given.map((example, index): [string, JsonValue] => [
    `example${index + 1}`,
    { ...(example.title !== undefined && { summary: example.title }), value: example.request },
  ]);
  return { examples: Object.fromEntries(named) };
}

function resultContent({ result }: ToolDefinition, schema: JsonSchema | undefined): JsonObject {
  switch (result.kind) {
    case "json":
    case "content":
      return { content: { "application/json": { schema: schema ?? {} } } };
    case "text":
      return { content: { "text/plain": { schema: schema ?? { type: "string" } } } };
    case "bytes":
      return { content: { "application/octet-stream": {} } };
    case "binary":
      return { content: { "*/*": {} } };
    case "none":
      return { content: { "application/json": { schema: { type: "null" } } } };
  }
}

function describeOperation(tool: OpenApiTool): JsonObject {
  return {
    operationId: `${operationId(tool)}.describe`,
    tags: [...tagsOf(tool)],
    summary: `What ${tool.definition.name} does and takes`,
    responses: {
      "200": {
        description: "The description of the tool.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/ToolDescription" } } },
      },
      ...problemResponses(["403"]),
    },
  };
}

function listOperation(): JsonObject {
  const tools: JsonSchema = { type: "array", items: { $ref: "#/components/schemas/ToolDescription" } };
  return {
    operationId: "service.tools",
    tags: [toolTag],
    summary: "All tools of the service",
    responses: {
      "200": {
        description: "The descriptions of the tools.",
        content: { "application/json": { schema: { type: "object", properties: { tools }, required: ["tools"] } } },
      },
      ...problemResponses(["403"]),
    },
  };
}
