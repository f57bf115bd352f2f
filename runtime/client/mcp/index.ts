/** Exports of `tenon/client/mcp`: the transport by which `createClient` calls services over MCP. */
export type { McpAsk, McpCommand, McpConnection } from "./connect.ts";
export type { McpTransport } from "./client-transport.ts";
export { mcpTransport, type McpOptions } from "./mcp-transport.ts";
export type { McpServer } from "./over-http.ts";
