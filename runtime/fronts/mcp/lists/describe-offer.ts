import type { JsonSchema } from "../../../contract/contract.ts";
import { parseUriTemplate } from "../../../contract/definition/uri-template.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { describeIcon } from "../../../contract/definition/mcp-descriptor.ts";
import type { McpPromptDescriptor, McpResourceDescriptor } from "../port/descriptors.ts";

/** The entry of a prompt in `prompts/list`. */
export function describePrompt({ name, definition }: Tool): McpPromptDescriptor {
  const schema = definition.request?.schema ?? {};
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const required = (schema["required"] ?? []) as readonly string[];
  const args = properties
    .filter(([key]) => key !== "$schema")
    .map(([key, { title, description }]) => ({
      name: key,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      required: required.includes(key),
    }));
  return { ...described(name, definition), ...(args.length > 0 && { arguments: args }) };
}

/** The entry of a resource in `resources/list` or `resources/templates/list`. */
export function describeResource({ name, definition }: Tool): McpResourceDescriptor {
  const { uri = "", content } = definition;
  const isTemplate = parseUriTemplate(uri)?.some((part) => "name" in part) === true;
  const mimeType = definition.mimeType ?? defaultTypes[definition.result.kind];
  return {
    ...(isTemplate ? { uriTemplate: uri } : { uri }),
    ...described(name, definition),
    ...(mimeType !== undefined && { mimeType }),
    ...(content !== undefined && { annotations: content }),
  };
}

const defaultTypes: Readonly<Partial<Record<Tool["definition"]["result"]["kind"], string>>> = {
  text: "text/plain",
  json: "application/json",
  bytes: "application/octet-stream",
};

function described(
  name: string,
  { title, description, icon: src }: Tool["definition"],
): Pick<McpPromptDescriptor, "name" | "title" | "description" | "icons"> {
  const icon = describeIcon(src);
  return { name, ...(title !== undefined && { title }), description, ...(icon !== undefined && { icons: [icon] }) };
}
