import { listableTools, toolSearchNames } from "../../../contract/definition/tool-search.ts";
import type { Tool } from "../../../service/tools/tool.ts";

/**
 * True when the tools are searched instead of listed: somebody asked for it, they are many, and none of them has the
 * name of a tool that searches.
 */
export function searchesTools(tools: readonly Tool[], asked: boolean | undefined): boolean {
  return asked === true && tools.length > listableTools && takenName(tools) === undefined;
}

/** A name that the service needs for a tool of its own. */
export function takenName(tools: readonly Tool[]): string | undefined {
  const ours: ReadonlySet<string> = new Set(Object.values(toolSearchNames));
  return tools.find(({ name }) => ours.has(name))?.name;
}
