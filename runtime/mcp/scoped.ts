import { sees } from "../auth/caller.ts";
import type { JsonObject } from "../contract.ts";
import { matchUri, parseUriTemplate } from "../definition/uri-template.ts";
import type { Tool } from "../tool.ts";
import type { McpPort, Scopes } from "./port.ts";

/** An entry of a list, with the scopes that a caller needs to see it. */
export interface Listed<T> {
  readonly entry: T;
  readonly scopes?: readonly string[] | undefined;
}

export function listed<T>({ definition }: Tool, entry: T): Listed<T> {
  return { entry, scopes: definition.scopes };
}

/** A list as a caller sees it. Without scopes in it, it is one list for all. */
export function visibleTo<T>(list: readonly Listed<T>[]): (scopes: Scopes | undefined) => readonly T[] {
  const all = list.map(({ entry }) => entry);
  if (list.every(({ scopes }) => scopes === undefined)) return () => all;
  return (has) => (has === undefined ? all : list.filter(({ scopes }) => sees(has, scopes)).map(({ entry }) => entry));
}

export function isScoped(tools: readonly Tool[]): boolean {
  return tools.some(({ definition }) => definition.scopes !== undefined);
}

/** Finds what a message names, for {@link McpPort.scopesOf}. */
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
