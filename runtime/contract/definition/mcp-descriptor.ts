import type { JsonObject, JsonSchema, ToolAnnotations, ToolDefinition } from "../contract.ts";

export interface McpIcon {
  /** `https:` or `data:` address. */
  readonly src: string;
  readonly mimeType?: string;
}

/** One entry of `tools/list`. */
export interface McpToolDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly McpIcon[];
  readonly _meta?: JsonObject;
}

/** The descriptor of a tool in `tools/list`; the same for every client and every call. */
export function describeTool(definition: ToolDefinition): McpToolDescriptor {
  const icon = describeIcon(definition.icon);
  return {
    name: definition.name,
    ...(definition.title !== undefined && { title: definition.title }),
    description: definition.description,
    inputSchema: definition.mcp.inputSchema,
    ...(definition.mcp.outputSchema !== undefined && { outputSchema: definition.mcp.outputSchema }),
    ...(Object.keys(definition.annotations).length > 0 && { annotations: definition.annotations }),
    ...(icon !== undefined && { icons: [icon] }),
    ...(definition.mcp._meta !== undefined && { _meta: definition.mcp._meta }),
  };
}

/** Clients may only load `https:` and `data:` icons; any other address would be a dead link for all of them. */
export function describeIcon(src: string | undefined): McpIcon | undefined {
  if (src === undefined || !/^(?:https?|data):/i.test(src)) return undefined;
  const mimeType = /^data:([^;,]+)/i.exec(src)?.[1];
  return { src, ...(mimeType !== undefined && { mimeType }) };
}
