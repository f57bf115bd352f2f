import type { JsonSchema } from "../../../contract/contract.ts";
import type { Tool } from "../../../service/tools/tool.ts";

/** Returns the literals of an argument's type that begin with the typed text, in the order of the type. */
export function completions({ definition }: Tool, argument: string, typed: string): readonly string[] {
  const properties = (definition.request?.schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
  if (property === undefined) return [];
  const defs = (definition.request?.schema["$defs"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const start = typed.toLowerCase();
  return literals(property, defs).filter((value) => value.toLowerCase().startsWith(start));
}

function literals(schema: JsonSchema, defs: Readonly<Record<string, JsonSchema>>): readonly string[] {
  const ref = schema["$ref"];
  if (typeof ref === "string") return literals(defs[ref.slice("#/$defs/".length)] ?? {}, defs);
  if (schema["const"] !== undefined) return [String(schema["const"])];
  if (Array.isArray(schema["enum"])) return schema["enum"].map(String);
  if (schema["type"] === "boolean") return ["true", "false"];
  return Array.isArray(schema["anyOf"])
    ? schema["anyOf"].flatMap((member) => literals(member as JsonSchema, defs))
    : [];
}
