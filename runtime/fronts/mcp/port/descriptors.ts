import type { ContentAnnotations } from "../../../contract/contract.ts";
import type { McpIcon, McpToolDescriptor } from "../../../contract/definition/mcp-descriptor.ts";

export type { McpIcon, McpToolDescriptor } from "../../../contract/definition/mcp-descriptor.ts";

/** Description of the server, as clients show it to people. */
export interface McpServerInfo {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly websiteUrl?: string;
}

export interface McpToolPage {
  readonly tools: readonly McpToolDescriptor[];
  /** Cursor of the next page; absent on the last page. */
  readonly nextCursor?: string;
}

export interface McpPromptDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly icons?: readonly McpIcon[];
}

/** A resource has a `uri`, a template of resources a `uriTemplate`. */
export interface McpResourceDescriptor {
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly mimeType?: string;
  readonly annotations?: ContentAnnotations;
  /** Size in bytes, if it is known without reading the resource. */
  readonly size?: number;
  readonly icons?: readonly McpIcon[];
}
