/** Services over MCP for the client: what their callers import from `tenon/client/mcp`. */
export type { McpAsk, McpCommand, McpConnection, McpServer } from "./connect.ts";
export type { McpTransport } from "./client-transport.ts";
export { mcpTransport, type McpOptions } from "./mcp-transport.ts";
