import type { Service } from "../service/service.ts";

/**
 * Serves the tools of the process to one MCP client over standard input and output, without an HTTP server. When the
 * client closes the input, or on a signal, running calls end and the process exits.
 */
export async function runMcpStdio(service: Service): Promise<void> {
  const mcp = await import("./run-mcp-stdio.ts");
  await mcp.runMcpStdio(service);
}
