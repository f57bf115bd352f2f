import type { Definition } from "../tool-facts.ts";
import { clientTransport } from "./client-transport.ts";
import type { McpTransport } from "./client-transport.ts";
import { connect } from "./connect.ts";
import type { McpAsk, McpConnection } from "./connection.ts";

export interface McpOptions {
  /** Answers questions of tools (`job.ask`); default: the client cannot be asked. */
  readonly ask?: McpAsk | undefined;
  /**
   * The definition of the service, for example an import of its `service.json`. It tells binary results from pieces of
   * content, and which tools are idempotent; otherwise the descriptions of the server have to do.
   */
  readonly definition?: Definition | undefined;
}

/**
 * Opens a way to tools over MCP, of any revision, for `createClient`. It connects with the first call.
 *
 * ```ts
 * const transport = mcpTransport({ command: "node", args: ["dist/service.mjs", "--with-mcp-stdio"] });
 * const service = createClient<typeof tools>({ transport });
 * ```
 *
 * It needs the package `@modelcontextprotocol/client`. A job is one request here: it ends with the connection, and a
 * handle is known to this client alone.
 */
export function mcpTransport(connection: McpConnection, options: McpOptions = {}): McpTransport {
  return clientTransport(() => connect(connection, options.ask), options.definition);
}
