import { isObject } from "../validation/json-value.ts";
import { commentText, indented, keyText, typeText } from "./type-text.ts";
import type { JsonSchema, ToolDefinition } from "../contract.ts";

/** The part of a definition that a declaration needs. */
export type DeclaredTool = Pick<ToolDefinition, "name" | "description" | "mcp" | "deprecated">;

/**
 * Declarations of tools in TypeScript, for hosts whose models write code: one interface with a function for each tool,
 * which takes its arguments as one object. The declarations need no other file.
 */
export function typeDeclarations(tools: readonly DeclaredTool[]): string {
  const members = indented(tools.map(memberOf).join("\n"));
  return `/** The tools of this service; each name is that of \`tools/call\`. */\nexport interface Tools {\n${members}\n}\n\nexport declare const tools: Tools;\n`;
}

function memberOf(tool: DeclaredTool): string {
  const { inputSchema, outputSchema } = tool.mcp;
  const isOptional = !Array.isArray(inputSchema["required"]) || inputSchema["required"].length === 0;
  const result = outputSchema === undefined ? "unknown" : inlineType(outputSchema, outputSchema);
  const argument = inlineType(inputSchema, inputSchema);
  return `${commentText(tool)}${keyText(tool.name)}(args${isOptional ? "?" : ""}: ${argument}): Promise<${result}>;`;
}

/**
 * The type of a schema with all that it refers to. A reference within what it refers to becomes `unknown`, since a
 * recursive type has no inline text that ends.
 *
 * @param open References that enclose the current position
 */
function inlineType(schema: JsonSchema, root: JsonSchema, open: ReadonlySet<string> = new Set()): string {
  return typeText(schema, {
    direction: "json",
    refer(reference) {
      const target = open.has(reference) ? undefined : resolve(root, reference);
      return target === undefined ? "unknown" : inlineType(target, root, new Set([...open, reference]));
    },
  });
}

/** Follows a JSON pointer such as `#/$defs/Place`. */
function resolve(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  const keys = reference
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root) as JsonSchema | undefined;
}
