import type { JsonSchema } from "../../runtime/contract/contract.ts";
import { isObject } from "../../runtime/contract/validation/json-value.ts";
import type { Contract, ContractTool } from "./contract.ts";

/** Reads a service definition; a text that says what is wrong when it is none. */
export function parseContract(text: string): Contract | string {
  const value = parseJson(text);
  if (value === undefined) return "it is not JSON";
  if (!isObject(value) || !Array.isArray(value["tools"])) return "it is not a service definition: it has no `tools`";
  const isTool = (tool: unknown): boolean => isObject(tool) && typeof tool["name"] === "string";
  if (!value["tools"].every(isTool)) return "it is not a service definition: a tool has no name";
  const tools = value["tools"].map((tool: ContractTool) => ({ ...tool, annotations: tool.annotations ?? {} }));
  return {
    ...(value as unknown as Contract),
    name: String(value["name"] ?? ""),
    version: textOf(value["version"]),
    tools,
  };
}

/** Reads what `GET /tool` answers: the description of the only tool, or those of all. */
export function parseDescriptions(text: string): Contract | string {
  const value = parseJson(text);
  const all = isObject(value) && Array.isArray(value["tools"]) ? (value["tools"] as readonly unknown[]) : [value];
  const tools: ContractTool[] = [];
  for (const one of all) {
    if (!isObject(one) || typeof one["name"] !== "string") return "it does not describe tools";
    const { fn_schema: request, result_schema: result } = one;
    tools.push({
      name: one["name"],
      description: textOf(one["description"]),
      ...(isObject(request) && { "request-schema": request as JsonSchema }),
      ...(isObject(result) && { "result-schema": result as JsonSchema }),
      annotations: isObject(one["annotations"]) ? one["annotations"] : {},
    });
  }
  return { name: "", version: "", tools, isBrief: true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
