import { registryKey } from "../../contract/process-keys.ts";
import type { ToolDefinition, ToolFunctions } from "../../contract/contract.ts";

/** A tool as its module registered it. */
export interface RegisteredTool {
  readonly definition: ToolDefinition;
  readonly functions: ToolFunctions;
}

/** Two tools with the same name, registered by two files. The start of a server reports them. */
export interface ToolConflict {
  readonly name: string;
  /** File and line of each tool, in the order of registration. */
  readonly sources: readonly [string, string];
}

/** State that all copies of the package in one process share. */
interface Registry {
  readonly tools: Map<string, RegisteredTool>;
  readonly conflicts: ToolConflict[];
}

/**
 * The only module state of the package. It is stored under `Symbol.for`, since a bundle may contain the package twice.
 */
function registry(): Registry {
  const holder = globalThis as { [registryKey]?: Registry };
  holder[registryKey] ??= { tools: new Map(), conflicts: [] };
  return holder[registryKey];
}

/** Called by the code that the plugin generates, once per tool, when the author's module is evaluated. */
export function defineTool(definition: ToolDefinition, functions: ToolFunctions): void {
  const { tools, conflicts } = registry();
  // Prompts and resources have separate keys, since a prompt may have the same name as a tool.
  const key = definition.kind === undefined ? definition.name : `${definition.kind} ${definition.name}`;
  const known = tools.get(key);
  const isAnother = known !== undefined && fileOf(known.definition.source) !== fileOf(definition.source);
  if (isAnother) {
    const sources = [known.definition.source, definition.source] as const;
    if (!conflicts.some((conflict) => conflict.name === definition.name && conflict.sources[1] === sources[1])) {
      conflicts.push({ name: definition.name, sources });
    }
    // The first of two tools stays registered, so that the result does not depend on when the list is read.
    return;
  }
  // Registration by the same file is a reload after an edit, which may have moved lines, so the newer one counts.
  tools.set(key, { definition, functions });
}

function fileOf(source: string): string {
  return source.replace(/:\d+$/, "");
}

/** All tools that were registered so far, in that order. */
export function registeredTools(): readonly RegisteredTool[] {
  return [...registry().tools.values()];
}

/** Names that two files registered. A server must not start when there are any. */
export function toolConflicts(): readonly ToolConflict[] {
  return [...registry().conflicts];
}

/** Removes the tools of some source files. A reload registers again those that still exist. */
export function forgetTools(sources: ReadonlySet<string>): void {
  const { tools, conflicts } = registry();
  for (const [key, { definition }] of tools) if (sources.has(fileOf(definition.source))) tools.delete(key);
  conflicts.length = 0;
}

/** Removes all tools; for tests. */
export function clearRegistry(): void {
  registry().tools.clear();
  registry().conflicts.length = 0;
}
