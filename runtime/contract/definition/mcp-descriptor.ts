import type { JsonObject, JsonSchema, ToolAnnotations, ToolDefinition } from "../contract.ts";
import { viewUri } from "../view.ts";

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

/**
 * The descriptor of a tool in `tools/list`.
 *
 * @param service Name of the service, a part of the view's address. Without it the view is left out, for clients that
 *   show none.
 */
export function describeTool(definition: ToolDefinition, service?: string): McpToolDescriptor {
  const icon = describeIcon(definition.icon);
  const meta = metaOf(definition, service);
  return {
    name: definition.name,
    ...(definition.title !== undefined && { title: definition.title }),
    description: definition.description,
    inputSchema: definition.mcp.inputSchema,
    ...(definition.mcp.outputSchema !== undefined && { outputSchema: definition.mcp.outputSchema }),
    ...(Object.keys(definition.annotations).length > 0 && { annotations: definition.annotations }),
    ...(icon !== undefined && { icons: [icon] }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

function metaOf({ name, mcp, view }: ToolDefinition, service: string | undefined): JsonObject | undefined {
  if (view === undefined || service === undefined) return mcp._meta;
  return { ...mcp._meta, ui: { resourceUri: viewUri(service, name) } };
}

/** Returns an icon whose address is `https:` or `data:`; undefined for any other address, which no client may load. */
export function describeIcon(src: string | undefined): McpIcon | undefined {
  if (src === undefined || !/^(?:https?|data):/i.test(src)) return undefined;
  const mimeType = /^data:([^;,]+)/i.exec(src)?.[1];
  return { src, ...(mimeType !== undefined && { mimeType }) };
}
