import type { ToolDefinition } from "../contract.ts";
import { addLines, mostBytes, mostLines, shortInstructions } from "./short-instructions.ts";
import type { InstructionsInput } from "./short-instructions.ts";
import { toolSearchNames } from "./tool-search-names.ts";

/** Files that are groups of their own; of more files their folders are. */
const mostFiles = 20;
/** Bytes of a group's line at least. */
const shortestLine = 60;

/**
 * The text for models about a whole service: its author's, else a made one.
 *
 * @param isSearched Tools that search stand in the list for these
 */
export function instructionsOf(
  service: { readonly instructions?: string; readonly description?: string },
  tools: InstructionsInput["tools"],
  isSearched?: boolean,
): string {
  return service.instructions ?? makeInstructions({ description: service.description, tools }, isSearched);
}

/**
 * Makes the `instructions` of a service whose author wrote none: a host that defers tools shows a model these and the
 * names alone. The service's description, then the first sentence of each tool; of more than 40 the groups, and how to
 * find one. At most 2,000 bytes; empty for a service without texts.
 *
 * @param isSearched Tools that search stand in the list for these
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

/** A line per group with its first names; each has an equal part of the bytes. */
function groupLines(tools: InstructionsInput["tools"], bytes: number): readonly string[] {
  const files = new Set(tools.map(({ source }) => source.replace(/:\d+$/, "")));
  const groups = Map.groupBy(tools, (tool) => groupOf(tool, files.size > mostFiles));
  const share = Math.max(shortestLine, Math.floor(bytes / groups.size) - 2);
  return [...groups]
    .map(([group, members]) => groupLine(group, members.map(({ name }) => name).toSorted(), share))
    .toSorted();
}

/** Names of tools are ASCII. */
function groupLine(group: string, names: readonly string[], share: number): string {
  const line = `- ${group} (${names.length}): ${names.join(", ")}`;
  return line.length <= share ? line : `${line.slice(0, line.lastIndexOf(", ", share - 5))}, ...`;
}

/** The group in which people see a tool: its `@category`, else the first of its option `tags`. */
export function categoryOf({ category, options }: Pick<ToolDefinition, "category" | "options">): string | undefined {
  const tags = options?.["tags"];
  return category ?? (Array.isArray(tags) && typeof tags[0] === "string" ? tags[0] : undefined);
}

/** The category of a tool, or its first tag, else its file, or its folder. */
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
