import { toolSearchNames } from "../../../contract/definition/tool-search-names.ts";
import { listableTools, toolSearchDescriptors } from "../../../contract/definition/tool-search.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { McpToolDescriptor } from "../port/descriptors.ts";

/**
 * The list in place of the tools; undefined when they are few, or when one of them has the name of one that searches.
 */
export function searchList(tools: readonly Tool[]): readonly McpToolDescriptor[] | undefined {
  const isUseful = tools.length > listableTools && takenName(tools) === undefined;
  return isUseful ? toolSearchDescriptors(tools.length) : undefined;
}

/** A name that the service needs for a tool of its own. */
export function takenName(tools: readonly Tool[]): string | undefined {
  const ours: ReadonlySet<string> = new Set(Object.values(toolSearchNames));
  return tools.find(({ name }) => ours.has(name))?.name;
}
