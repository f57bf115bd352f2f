import type { JsonObject } from "../../../contract/contract.ts";
import { alwaysLoadKeys } from "../../../contract/definition/host-meta.ts";
import { toolSearchNames } from "../../../contract/definition/tool-search-names.ts";
import { listableTools, toolSearchDescriptors } from "../../../contract/definition/tool-search.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { SearchList } from "./catalogue.ts";

/**
 * Makes the list with search tools; undefined when there are few tools, or when one of them has the name of a search
 * tool.
 */
export function searchList(tools: readonly Tool[]): SearchList | undefined {
  if (tools.length <= listableTools || takenName(tools) !== undefined) return undefined;
  return { loaded: tools.filter(isLoadedAlways), searching: toolSearchDescriptors(tools.length) };
}

function isLoadedAlways({ definition }: Tool): boolean {
  const meta: JsonObject = definition.mcp._meta ?? {};
  return alwaysLoadKeys.some(([, key]) => meta[key] === true);
}

/** Returns the name of a search tool that is also the name of one of the service's tools. */
export function takenName(tools: readonly Tool[]): string | undefined {
  const ours: ReadonlySet<string> = new Set(Object.values(toolSearchNames));
  return tools.find(({ name }) => ours.has(name))?.name;
}
