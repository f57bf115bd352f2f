/** Services over MCP for the client: what their callers import from `tenon/client/mcp`. */
export { mcpTransport } from "./mcp-transport.ts";
export type { McpAsk, McpCommand, McpConnection, McpOptions, McpServer, McpTransport } from "./mcp-transport.ts";
