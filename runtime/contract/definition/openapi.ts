import type { JsonObject, ToolDefinition, JsonValue } from "../contract.ts";
import { componentSchemas } from "./openapi-components.ts";
import {
  callOperation,
  describeOperation,
  listOperation,
  operationId,
  resultContent,
  tagsOf,
  toolTag,
  type OpenApiTool,
} from "./openapi-operations.ts";
import { durableRoutes } from "./openapi-durable.ts";
import { jobRoutes, systemRoutes } from "./openapi-routes.ts";
import { limitRoutes } from "./openapi-limits.ts";
import { scheduleRoutes } from "./openapi-schedules.ts";
import { sharedComponents } from "./openapi-shared-components.ts";
import type { ServiceTexts } from "./service-definition.ts";

export interface OpenApiInput {
  readonly service: ServiceTexts;
  readonly tools: readonly OpenApiTool[];
  /** `ServerOptions.deferredStatus`; default 202. */
  readonly deferredStatus?: 202 | 204;
  /** Scopes that every request needs; undefined when callers are not authenticated. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Makes the OpenAPI 3.1 document of all routes of a REST service. It contains the full schemas, with their definitions
 * moved to `components`.
 */
export function openApiDocument({ service, tools, deferredStatus = 202, scopes }: OpenApiInput): JsonObject {
  const waits = tools.flatMap((tool) =>
    (tool.definition.waits ?? []).map((wait) => ({ wait, name: `${operationId(tool)}.${wait.name}.message` })),
  );
  const { schemas, placed } = componentSchemas([
    ...tools.map((tool) => ({ definition: tool.definition, name: operationId(tool) })),
    ...waits.map(({ wait: { schema }, name }) => ({
      definition: { result: { kind: "none" as const }, ...(schema !== undefined && { request: { schema } }) },
      name,
    })),
  ]);
  const messages = waits.map(({ wait }, index) => ({ wait, schema: placed[tools.length + index]?.request }));
  const paths: Record<string, JsonObject> = {};
  for (const [index, tool] of tools.entries()) {
    const [request, result] = [placed[index]?.request, placed[index]?.result];
    const secured = security(scopes, tool.definition);
    paths[tool.path] = {
      post: { ...callOperation(tool, { request, result }, deferredStatus, scopes !== undefined), ...secured },
      get: { ...describeOperation(tool), ...secured },
    };
    // The routes of jobs are repeated under the tool's own path, for gateways that route by path. There the type of the
    // result is known.
    const answer = resultContent(tool.definition, result);
    const { delete: _cancel, ...job } = jobRoutes(operationId(tool), answer)["/jobs/{id}"] ?? {};
    paths[`${tool.path}/jobs/{id}`] = job;
  }
  if (tools.length > 1 && paths["/tool"] === undefined) paths["/tool"] = { get: listOperation() };
  Object.assign(paths, jobRoutes("service"), systemRoutes(scopes !== undefined));
  if (tools.some(({ definition }) => definition.durable === true)) Object.assign(paths, durableRoutes(messages));
  if (tools.some(({ definition }) => definition.schedules !== undefined)) Object.assign(paths, scheduleRoutes);
  if (tools.some(({ definition }) => (definition.limit ?? definition.rate ?? definition.debounce) !== undefined))
    Object.assign(paths, limitRoutes);
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

/** Every tag of the document, with a description if the tag is tenon's own. */
function tagList(tools: readonly OpenApiTool[]): readonly JsonObject[] {
  const names = new Set(tools.flatMap(tagsOf));
  return [
    ...[...names].map((name) => ({
      name,
      description: name === toolTag ? "Calls of tools." : `Calls of the tools in the group ${name}.`,
    })),
    { name: "Jobs", description: "Results of calls that take longer, and their progress." },
    { name: "Service", description: "Health, and documents about the service." },
  ];
}

/** Removes the components to which no path refers, directly or through others. */
function withoutUnused(components: JsonObject, paths: Readonly<Record<string, JsonObject>>): JsonObject {
  const used = new Set<string>();
  const visit = (value: JsonValue | undefined): void => {
    if (typeof value !== "object" || value === null) return;
    const ref = Array.isArray(value) ? undefined : (value as JsonObject)["$ref"];
    if (typeof ref === "string" && !used.has(ref)) {
      used.add(ref);
      const [, , kind = "", name = ""] = ref.split("/");
      visit((components[kind] as JsonObject | undefined)?.[name]);
    }
    for (const part of Object.values(value as JsonObject)) visit(part);
  };
  for (const path of Object.values(paths)) visit(path);
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]): [string, JsonValue] => {
      const entries = Object.entries((named ?? {}) as JsonObject);
      return [kind, Object.fromEntries(entries.filter(([name]) => used.has(`#/components/${kind}/${name}`)))];
    }),
  );
}
