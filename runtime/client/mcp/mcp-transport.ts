import type { Definition } from "../tool-facts.ts";
import { clientTransport, type McpTransport } from "./client-transport.ts";
import { connect, type McpAsk, type McpConnection } from "./connect.ts";

export interface McpOptions {
  /** Answers questions of tools (`job.ask`); without it, questions cannot be asked. */
  readonly ask?: McpAsk | undefined;
  /**
   * The definition of the service, for example an import of its `service.json`. It says which results are binary and
   * which tools are idempotent. Without it, the client relies on the tool list of the server.
   */
  readonly definition?: Definition | undefined;
}

/**
 * Makes a transport over MCP, of any revision, for `createClient`. It connects with the first call.
 *
 * ```ts
 * const transport = mcpTransport({ command: "node", args: ["dist/service.mjs", "--with-mcp-stdio"] });
 * const service = createClient<typeof tools>({ transport });
 * ```
 *
 * It needs the package `@modelcontextprotocol/client`. Over MCP a job is one request: it ends with the connection, and
 * only this client can use its handle.
 */
export function mcpTransport(connection: McpConnection, options: McpOptions = {}): McpTransport {
  return clientTransport(() => connect(connection, options.ask), options.definition);
}
