import type { JsonObject, JsonSchema, JsonValue, ToolDefinition } from "../contract.ts";

/** The part of a definition that a declaration needs. */
export type DeclaredTool = Pick<ToolDefinition, "name" | "description" | "mcp" | "deprecated">;

/**
 * Declarations of tools in TypeScript, for hosts whose models write code: one interface with a function for each tool,
 * which takes its arguments as one object. The declarations need no other file.
 */
export function typeDeclarations(tools: readonly DeclaredTool[]): string {
  const members = tools.map((tool) => memberOf(tool).replaceAll(/^(?=.)/gm, "  "));
  return `/** The tools of this service; each name is that of \`tools/call\`. */\nexport interface Tools {\n${members.join("\n")}\n}\n\nexport declare const tools: Tools;\n`;
}

function memberOf({ name, description, deprecated, mcp }: DeclaredTool): string {
  const { inputSchema, outputSchema } = mcp;
  const argument = typeOf(inputSchema, createScope(inputSchema));
  const isOptional = !Array.isArray(inputSchema["required"]) || inputSchema["required"].length === 0;
  const result = outputSchema === undefined ? "unknown" : typeOf(outputSchema, createScope(outputSchema));
  const note = deprecated === undefined ? "" : `\n@deprecated${deprecated === true ? "" : ` ${deprecated}`}`;
  return `${comment(description + note)}${keyOf(name)}(args${isOptional ? "?" : ""}: ${argument}): Promise<${result}>;`;
}

/**
 * Definitions that are reached from references of one schema. A recursive type cannot be written inline, since its text
 * would be endless.
 */
interface Scope {
  resolve(reference: string): JsonSchema | undefined;
  /** References that enclose the current position. They are not followed again, which would never end. */
  readonly open: ReadonlySet<string>;
}

function createScope(root: JsonSchema): Scope {
  return {
    open: new Set(),
    resolve(reference) {
      if (!reference.startsWith("#")) return undefined;
      const parts = reference
        .slice(1)
        .split("/")
        .slice(1)
        .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
      return parts.reduce<unknown>((at, part) => (isSchema(at) ? at[part] : undefined), root) as JsonSchema | undefined;
    },
  };
}

function typeOf(schema: unknown, scope: Scope): string {
  if (!isSchema(schema)) return schema === false ? "never" : "unknown";
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if ("const" in schema) return literal(schema["const"]);
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map(literal));
  if (typeof $ref === "string") return referred($ref, scope);
  const parts = [anyOf, oneOf].find((one) => Array.isArray(one)) as readonly JsonValue[] | undefined;
  const base = parts === undefined ? undefined : union(parts.map((part) => typeOf(part, scope)));
  const all = Array.isArray(allOf) ? allOf.map((part) => typeOf(part, scope)) : [];
  const own = type === undefined && schema["properties"] === undefined ? undefined : ownType(schema, scope);
  const joined = [own, base, ...all].filter((text) => text !== undefined && text !== "unknown");
  return joined.length === 0
    ? "unknown"
    : joined.length === 1
      ? (joined[0] ?? "")
      : joined.map((text) => `(${text})`).join(" & ");
}

function referred(reference: string, scope: Scope): string {
  const target = scope.resolve(reference);
  if (target === undefined || scope.open.has(reference)) return "unknown";
  return typeOf(target, { ...scope, open: new Set([...scope.open, reference]) });
}

function ownType(schema: JsonObject, scope: Scope): string {
  const { type = "object" } = schema;
  const types = Array.isArray(type) ? type : [type];
  return union(types.map((one) => namedType(String(one), schema, scope)));
}

function namedType(type: string, schema: JsonObject, scope: Scope): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return arrayType(schema, scope);
    case "object":
      return objectType(schema, scope);
    default:
      return "unknown";
  }
}

function arrayType({ prefixItems, items }: JsonObject, scope: Scope): string {
  if (!Array.isArray(prefixItems)) return `Array<${typeOf(items, scope)}>`;
  const rest = items === undefined || items === (false as never) ? [] : [`...Array<${typeOf(items, scope)}>`];
  return `[${[...prefixItems.map((item) => typeOf(item, scope)), ...rest].join(", ")}]`;
}

function objectType({ properties, required, additionalProperties }: JsonObject, scope: Scope): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(isSchema(properties) ? properties : {}).map(([key, value]) => {
    const text = isSchema(value) && typeof value["description"] === "string" ? comment(value["description"]) : "";
    return `${text}${keyOf(key)}${needed.has(key) ? "" : "?"}: ${typeOf(value, scope)};`;
  });
  // The index signature includes the types of the named fields: TypeScript requires this, JSON Schema does not.
  const others =
    additionalProperties === undefined || (additionalProperties as JsonValue) === false
      ? []
      : [`[key: string]: ${fields.length > 0 ? "unknown" : typeOf(additionalProperties, scope)};`];
  const lines = [...fields, ...others];
  if (lines.length === 0)
    return additionalProperties === (false as never) ? "Record<string, never>" : "Record<string, unknown>";
  return `{\n${lines.map((line) => line.replaceAll(/^(?=.)/gm, "  ")).join("\n")}\n}`;
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown")) return "unknown";
  return distinct.length === 0 ? "never" : distinct.map((text) => (/ & /.test(text) ? `(${text})` : text)).join(" | ");
}

function literal(value: unknown): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function comment(text: string): string {
  const safe = text.replaceAll("*/", "*\\/").trim();
  if (safe === "") return "";
  return safe.includes("\n")
    ? `/**\n${safe.replaceAll(/^/gm, " * ").replaceAll(/ +$/gm, "")}\n */\n`
    : `/** ${safe} */\n`;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
