import { httpRequest } from "./http-load.ts";

/** Headers of a request of the newest revision. */
const modernHeaders = (method: string, name: string): Record<string, string> => ({
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": method,
  "Mcp-Name": name,
});
const legacyHeaders = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" };
/** Client information of the newest revision, sent with each request. */
const claim = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};
/** Arguments of the tool that all servers have. */
export const args = { number: 997, note: "x".repeat(280), tags: ["a", "b"] };

interface ToolParams {
  readonly name: string;
  readonly arguments: object;
}

/** A request of the newest revision, as bytes. */
export function modernRequest(method: string, params: ToolParams): Buffer {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: claim } });
  return httpRequest("/mcp", body, modernHeaders(method, params.name));
}

/** The same of revision 2025-11-25. */
export function legacyRequest(method: string, params: ToolParams): Buffer {
  return httpRequest("/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), legacyHeaders);
}
