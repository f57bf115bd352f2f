import type { ToolDefinition } from "../contract.ts";

/** The group in which people see a tool: its `@category`, else the first of its option `tags`. */
export function categoryOf({ category, options }: Pick<ToolDefinition, "category" | "options">): string | undefined {
  const tags = options?.["tags"];
  return category ?? (Array.isArray(tags) && typeof tags[0] === "string" ? tags[0] : undefined);
}
