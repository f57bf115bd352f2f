import type { ToolDefinition } from "../contract.ts";
import { addLines, mostBytes, mostLines, shortInstructions, type InstructionsInput } from "./short-instructions.ts";
import { toolSearchNames } from "./tool-search-names.ts";

/** Maximum number of files for which each file is a group; with more files, each folder is a group. */
const mostFiles = 20;
/** Minimum bytes of a group's line. */
const shortestLine = 60;

/**
 * Returns the text for models about a whole service: the author's, else a generated text.
 *
 * @param isSearched True if the tool list contains only the search tools
 */
export function instructionsOf(
  service: { readonly instructions?: string; readonly description?: string },
  tools: InstructionsInput["tools"],
  isSearched?: boolean,
): string {
  return service.instructions ?? makeInstructions({ description: service.description, tools }, isSearched);
}

/**
 * Makes the `instructions` of a service whose author wrote none. They matter because a host that defers tools shows a
 * model only the instructions and the names of the tools. They contain the service's description, then the first
 * sentence of each tool; with more than 40 tools, their groups and how to find a tool. At most 2,000 bytes; empty for a
 * service without texts.
 *
 * @param isSearched True if the tool list contains only the search tools
 */
export function makeInstructions(input: InstructionsInput, isSearched = false): string {
  const { description, tools } = input;
  if (!isSearched && tools.length <= mostLines) return shortInstructions(input);
  const end = `\n\n${howToFind(tools.length, isSearched)}`;
  const most = mostBytes - end.length;
  return (
    addLines(description, groupLines(tools, most - Buffer.byteLength(description?.slice(0, 500) ?? "")), most) + end
  );
}

/** Makes a line for each group with its first names; all groups share the bytes equally. */
function groupLines(tools: InstructionsInput["tools"], bytes: number): readonly string[] {
  const files = new Set(tools.map(({ source }) => source.replace(/:\d+$/, "")));
  const groups = Map.groupBy(tools, (tool) => groupOf(tool, files.size > mostFiles));
  const share = Math.max(shortestLine, Math.floor(bytes / groups.size) - 2);
  return [...groups]
    .map(([group, members]) => groupLine(group, members.map(({ name }) => name).toSorted(), share))
    .toSorted();
}

/**
 * Makes the line of a group, without names if not even the first one fits. Names of tools are ASCII, so a character is
 * a byte.
 */
function groupLine(group: string, names: readonly string[], share: number): string {
  const head = `- ${group} (${names.length})`;
  const line = `${head}: ${names.join(", ")}`;
  if (line.length <= share) return line;
  const cut = line.lastIndexOf(", ", share - 5);
  return cut < head.length ? head : `${line.slice(0, cut)}, ...`;
}

/** Returns the group in which people see a tool: its `@category`, else the first of its option `tags`. */
export function categoryOf({ category, options }: Pick<ToolDefinition, "category" | "options">): string | undefined {
  const tags = options?.["tags"];
  return category ?? (Array.isArray(tags) && typeof tags[0] === "string" ? tags[0] : undefined);
}

/** Returns the group of a tool: its category, else its first tag, else its file or folder. */
function groupOf(tool: InstructionsInput["tools"][number], byFolder: boolean): string {
  const category = categoryOf(tool);
  if (category !== undefined) return category;
  const { source } = tool;
  const path = source.replace(/\.[^./]+:\d+$/, "").split("/");
  return path.at(byFolder ? -2 : -1) ?? path.join("/");
}

function howToFind(count: number, isSearched: boolean): string {
  const { search, describe, call } = toolSearchNames;
  return isSearched
    ? `Find one of the ${count} tools with ${search}, by words of the task; then use ${describe} and ${call}.`
    : `There are ${count} tools: search them by words of the task.`;
}
