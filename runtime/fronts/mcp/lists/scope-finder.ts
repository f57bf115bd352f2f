import type { JsonObject } from "../../../contract/contract.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import { rulesOf, type MethodRules } from "../port/methods.ts";
import type { McpPort } from "../port/port.ts";
import { resourceEntries, resourceFinder } from "./resource-entries.ts";
import { isScoped } from "./visible-to.ts";

/** Finds the scopes of the function that a message names, for {@link McpPort.scopesOf}. */
export function scopeFinder(tools: readonly Tool[], offers: readonly Tool[]): McpPort["scopesOf"] {
  if (!isScoped([...tools, ...offers])) return () => [];
  const byName = (list: readonly Tool[]): ReadonlyMap<unknown, readonly string[]> =>
    new Map(list.map(({ name, definition }) => [name, definition.scopes ?? []]));
  const toolScopes = byName(tools);
  const promptScopes = byName(offers.filter(({ definition }) => definition.kind === "prompt"));
  const resources = resourceEntries(offers.filter(({ definition }) => definition.kind === "resource"));
  const resourceAt = resourceFinder(resources);
  const scopesOf: Readonly<Record<Target, (params: JsonObject) => readonly string[] | undefined>> = {
    tool: ({ name }) => toolScopes.get(name),
    prompt: ({ name }) => promptScopes.get(name),
    resource: ({ uri }) => (typeof uri === "string" ? resourceAt(uri)?.tool.definition.scopes : undefined),
    ref({ ref }) {
      const { type, name, uri } = isObject(ref) ? ref : {};
      if (type === "ref/prompt") return promptScopes.get(name);
      return resources.find((resource) => resource.uri === uri)?.tool.definition.scopes;
    },
  };
  return (method, params) => {
    const target = rulesOf(method)?.target;
    return (target && scopesOf[target](params)) ?? [];
  };
}

type Target = NonNullable<MethodRules["target"]>;
