import type { JsonObject, JsonSchema } from "../../contract/contract.ts";

/** A server that is reached by its URL. */
export interface McpServer {
  /** Address of the MCP endpoint, for example `https://primes.example.org/mcp`. */
  readonly url: string | URL;
  /** Access token without `Bearer`, or a function that returns one for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
}

/** A server process that is started for this client, and communicates over its standard streams. */
export interface McpCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

export type McpConnection = McpServer | McpCommand;

/** Answers a question of a tool to its user. Returns undefined if the user declines. */
export type McpAsk = (question: {
  readonly message: string;
  /** Schema of the answer. */
  readonly schema: JsonSchema;
}) => JsonObject | undefined | Promise<JsonObject | undefined>;
