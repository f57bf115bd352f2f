/** Services over MCP for the client: what their callers import from `tenon/client/mcp`. */
export type { McpAsk, McpCommand, McpConnection, McpServer } from "./connection.ts";
export { mcpTransport } from "./mcp-transport.ts";
export type { McpOptions, McpTransport } from "./mcp-transport.ts";
