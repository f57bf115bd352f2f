import type { JsonSchema } from "../../runtime/contract/contract.ts";
import type { ServiceDefinitionWait } from "../../runtime/contract/service-definition.ts";
import { isObject } from "../../runtime/contract/validation/json-value.ts";
import type { Contract, ContractTool } from "./contract.ts";
import { schemaFault } from "./schema-form.ts";

/** Reads a service definition; returns an error text if it is invalid. */
export function parseContract(text: string): Contract | string {
  const value = parseJson(text);
  if (value === undefined) return "it is not JSON";
  if (!isObject(value) || !Array.isArray(value["tools"])) return "it is not a service definition: it has no `tools`";
  for (const tool of value["tools"]) {
    const fault = toolFault(tool);
    if (fault !== undefined) return fault;
  }
  for (const offers of ["prompts", "resources"]) {
    const list = value[offers] ?? [];
    if (!Array.isArray(list) || !list.every(isObject))
      return `it is not a service definition: \`${offers}\` is not a list`;
  }
  const tools = value["tools"].map((tool: ContractTool) => ({ ...tool, annotations: tool.annotations ?? {} }));
  return {
    ...(value as unknown as Contract),
    name: String(value["name"] ?? ""),
    version: textOf(value["version"]),
    tools,
  };
}

/** Reads the answer of `GET /tool`: the description of the only tool, or a list of all. */
export function parseDescriptions(text: string): Contract | string {
  const value = parseJson(text);
  const all = isObject(value) && Array.isArray(value["tools"]) ? (value["tools"] as readonly unknown[]) : [value];
  const tools: ContractTool[] = [];
  for (const one of all) {
    if (!isObject(one) || typeof one["name"] !== "string") return "it does not describe tools";
    const { fn_schema: request, result_schema: result } = one;
    const fault = schemasFault(one["name"], { fn_schema: request, result_schema: result });
    if (fault !== undefined) return fault;
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

/** Properties of a tool whose values are lists. */
const lists = ["scopes", "examples", "waits"];

/** Describes what is wrong with a tool in a definition from elsewhere; undefined if it is valid. */
function toolFault(tool: unknown): string | undefined {
  if (!isObject(tool) || typeof tool["name"] !== "string") return "it is not a service definition: a tool has no name";
  const { name, path, annotations } = tool;
  // The path is appended to the address of a service: without a slash it would change the host name.
  if (path !== undefined && (typeof path !== "string" || !path.startsWith("/")))
    return `the path of tool ${JSON.stringify(name)} does not begin with a slash`;
  const odd = lists.find((key) => tool[key] !== undefined && !Array.isArray(tool[key]));
  if (odd !== undefined) return `\`${odd}\` of tool ${JSON.stringify(name)} is not a list`;
  if (annotations !== undefined && !isObject(annotations))
    return `the annotations of tool ${JSON.stringify(name)} are not an object`;
  const { "request-schema": request, "result-schema": result, waits = [] } = tool;
  const messages = waits as readonly unknown[];
  if (!messages.every((wait) => isObject(wait) && typeof wait["name"] === "string"))
    return `a message of tool ${JSON.stringify(name)} has no name`;
  const schemas = (messages as readonly ServiceDefinitionWait[]).map((wait) => [wait.name, wait["message-schema"]]);
  return (
    schemasFault(name, { "request-schema": request, "result-schema": result }) ??
    schemasFault(name, Object.fromEntries(schemas.map(([key, schema]) => [`message ${key}`, schema])))
  );
}

function schemasFault(tool: string, schemas: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, schema] of Object.entries(schemas)) {
    const fault = schema === undefined || schema === null ? undefined : schemaFault(schema);
    if (fault !== undefined) return `${key} of tool ${JSON.stringify(tool)} cannot be read: ${fault}`;
  }
  return undefined;
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
