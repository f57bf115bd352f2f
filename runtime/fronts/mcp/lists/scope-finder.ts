import type { JsonObject } from "../../../contract/contract.ts";
import { matchUri, parseUriTemplate } from "../../../contract/definition/uri-template.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { McpPort } from "../port/port.ts";
import { isScoped } from "./visible-to.ts";

/** Finds the scopes of the function that a message names, for {@link McpPort.scopesOf}. */
export function scopeFinder(tools: readonly Tool[], offers: readonly Tool[]): McpPort["scopesOf"] {
  if (!isScoped([...tools, ...offers])) return () => [];
  const byName = (list: readonly Tool[]): ReadonlyMap<unknown, readonly string[]> =>
    new Map(list.map(({ name, definition }) => [name, definition.scopes ?? []]));
  const toolScopes = byName(tools);
  const promptScopes = byName(offers.filter(({ definition }) => definition.kind === "prompt"));
  const resources = offers
    .filter(({ definition }) => definition.kind === "resource")
    .map(({ definition: { uri = "", scopes = [] } }) => ({
      uri,
      scopes,
      parts: parseUriTemplate(uri) ?? [{ text: uri }],
    }));
  return (method, params) => {
    switch (method) {
      case "tools/call":
        return toolScopes.get(params["name"]) ?? [];
      case "prompts/get":
        return promptScopes.get(params["name"]) ?? [];
      case "resources/read":
      case "resources/subscribe":
      case "resources/unsubscribe": {
        const { uri } = params;
        return typeof uri === "string"
          ? (resources.find(({ parts }) => matchUri(parts, uri) !== undefined)?.scopes ?? [])
          : [];
      }
      case "completion/complete": {
        const { name, uri } = (params["ref"] ?? {}) as JsonObject;
        return promptScopes.get(name) ?? resources.find((resource) => resource.uri === uri)?.scopes ?? [];
      }
      default:
        return [];
    }
  };
}
