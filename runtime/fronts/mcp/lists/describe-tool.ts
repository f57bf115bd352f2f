import type { Tool } from "../../../service/tools/tool.ts";
import type { McpIcon, McpToolDescriptor } from "../port/descriptors.ts";

/** The entry of a tool in `tools/list`; the same for every client and every call. */
export function describeTool(tool: Tool): McpToolDescriptor {
  const { definition } = tool;
  const icon = describeIcon(definition.icon);
  return {
    name: tool.name,
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
