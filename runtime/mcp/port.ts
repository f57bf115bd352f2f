import type { ContentBlock, JsonObject, JsonSchema, JsonValue, ToolAnnotations } from "../contract.ts";
import type { HeaderParameter } from "./header-parameters.ts";

/** Who the server is, as clients show it to people. */
export interface McpServerInfo {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly websiteUrl?: string;
}

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

export interface McpToolPage {
  readonly tools: readonly McpToolDescriptor[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** A piece of a tool's answer that a model or a person sees. */
export type McpContent = ContentBlock;

/**
 * The answer to `tools/call`. Every way in which a tool can fail is one of these with `isError`, so that the model
 * can read it and try again.
 */
export interface McpToolResult {
  readonly content: readonly McpContent[];
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta?: JsonObject;
}

export interface McpProgress {
  /** Greater than the one before. */
  readonly progress: number;
  readonly message?: string;
}

/** What a protocol engine knows of one call beside its arguments. */
export interface McpCallContext {
  /** Aborted when the client cancels or goes away; nothing more is sent then. */
  readonly signal: AbortSignal;
  /** Present when the client asked for progress. Settles when the message is on its way; never rejects. */
  readonly notifyProgress?: (progress: McpProgress) => Promise<void>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** Becomes `jobAuthorization`. Only there when the platform's gateway put it on the request. */
  readonly authorization?: string;
}

/**
 * The seam between what a service offers and whatever speaks the protocol. An engine (the SDK today) translates wire
 * messages to these calls and back; it knows no tool, no job and no validator. Engines never import one another, and
 * the port imports none. What comes later (prompts, resources, tasks) is added here as further optional members.
 */
export interface McpPort {
  readonly info: McpServerInfo;
  /** How to use the server, for models; part of `initialize` and `server/discover`. */
  readonly instructions?: string;
  /** Milliseconds that a client may keep the tool list. */
  readonly toolsTtl: number;
  /** @throws McpFault for a cursor that this server did not make. */
  listTools(cursor?: string): McpToolPage;
  /** Runs a tool to its end. @throws McpFault for an unknown tool; everything else is a result with `isError`. */
  callTool(name: string, args: JsonObject, context: McpCallContext): Promise<McpToolResult>;
  /** Arguments of the tool that must be repeated as `Mcp-Param-*` headers; empty for an unknown tool. */
  headerParameters(tool: string): readonly HeaderParameter[];
}
