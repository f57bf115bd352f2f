import { isObject } from "../validation/json-value.ts";
import { commentText, indented, keyText, typeText } from "./type-text.ts";
import type { JsonSchema, ToolDefinition } from "../contract.ts";

/** The part of a definition that a declaration needs. */
export type DeclaredTool = Pick<ToolDefinition, "name" | "description" | "mcp" | "deprecated">;

/** The named types of a text of declarations. */
interface Named {
  readonly names: Set<string>;
  readonly declarations: string[];
}

/**
 * Declarations of tools in TypeScript, for hosts whose models write code: one interface with a function for each tool,
 * which takes its arguments as one object. The declarations need no other file.
 */
export function typeDeclarations(tools: readonly DeclaredTool[]): string {
  const named: Named = { names: new Set(["Tools", "Promise", "Record"]), declarations: [] };
  const members = indented(tools.map((tool) => memberOf(tool, named)).join("\n"));
  const types = named.declarations.map((declaration) => `${declaration}\n\n`).join("");
  return `${types}/** The tools of this service; each name is that of \`tools/call\`. */\nexport interface Tools {\n${members}\n}\n\nexport declare const tools: Tools;\n`;
}

function memberOf(tool: DeclaredTool, named: Named): string {
  const { inputSchema, outputSchema } = tool.mcp;
  const isOptional = !Array.isArray(inputSchema["required"]) || inputSchema["required"].length === 0;
  const argument = typeOf(inputSchema, tool.name, named);
  const result = outputSchema === undefined ? "unknown" : typeOf(outputSchema, tool.name, named);
  return `${commentText(tool)}${keyText(tool.name)}(args${isOptional ? "?" : ""}: ${argument}): Promise<${result}>;`;
}

/**
 * The type of a schema. What it refers to becomes a named type: written at each place, types that refer to one another
 * would need a text that grows exponentially.
 */
function typeOf(root: JsonSchema, tool: string, named: Named): string {
  const known = new Map<string, string>();
  const refer = (reference: string): string => {
    const before = known.get(reference);
    const target = before === undefined ? resolve(root, reference) : undefined;
    if (target === undefined) return before ?? "unknown";
    const name = newName(`${tool}_${reference.split("/").at(-1) ?? ""}`, named);
    known.set(reference, name);
    const text = typeText(target, { direction: "json", refer });
    named.declarations.push(`${commentText(target)}export type ${name} = ${text};`);
    return name;
  };
  return typeText(root, { direction: "json", refer });
}

function newName(wanted: string, { names }: Named): string {
  const plain = wanted.replaceAll(/\W+/g, "_").replace(/^(?=\d)/, "_");
  let name = plain;
  for (let number = 2; names.has(name); number++) name = `${plain}${number}`;
  names.add(name);
  return name;
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
