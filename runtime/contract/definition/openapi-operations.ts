import type { JsonObject, JsonSchema, JsonValue, ToolDefinition } from "../contract.ts";
import { firstSentence } from "./first-sentence.ts";
import { problemResponses } from "./openapi-shared-components.ts";

/** A tool with its resolved path and the author's options for its operation. */
export interface OpenApiTool {
  readonly definition: ToolDefinition;
  readonly path: string;
  /** `ToolOptions.tags`. */
  readonly tags?: readonly string[];
}

/** The tag of operations whose tool has none. */
export const toolTag = "Tools";

/** Returns the author's tags, else the category. */
export function tagsOf({ tags = [], definition }: OpenApiTool): readonly string[] {
  return tags.length === 0 ? [definition.category ?? toolTag] : tags;
}

/** The tool's name; `tool.service` for a tool `service`, since names of the service's own operations begin with it. */
export function operationId({ definition: { name } }: OpenApiTool): string {
  return /^(?:tool\.)*service(?:\.|$)/.test(name) ? `tool.${name}` : name;
}

function head(tool: OpenApiTool): JsonObject {
  const { title, name, description, deprecated } = tool.definition;
  return {
    tags: [...tagsOf(tool)],
    summary: title ?? (firstSentence(description).slice(0, 120) || name),
    description: typeof deprecated === "string" ? `${description}\n\nDeprecated: ${deprecated}` : description,
    ...(deprecated !== undefined && { deprecated: true }),
  };
}

/** The call operation of a tool, with the placed schemas of its request and its result. */
export function callOperation(
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
        ...((definition.limit ?? definition.rate)?.beyond === "refuse" ? ["429"] : []),
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

/** Content of a response with the result of a tool. */
export function resultContent({ result }: ToolDefinition, schema: JsonSchema | undefined): JsonObject {
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

/** The operation that describes a tool at its path. */
export function describeOperation(tool: OpenApiTool): JsonObject {
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

/** The operation that lists all tools. */
export function listOperation(): JsonObject {
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
