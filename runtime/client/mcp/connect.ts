import type { Client } from "@modelcontextprotocol/client";
import type { JsonObject, JsonSchema } from "../../contract/contract.ts";
import { overHttp, type McpServer, type OfficialPackage, type OfficialTransport } from "./over-http.ts";

/**
 * Connects to a server of this revision of MCP or an older one.
 *
 * @param load Loads the package `@modelcontextprotocol/client`; default: the installed one
 */
export async function connect(
  connection: McpConnection,
  ask: McpAsk | undefined,
  load: () => Promise<OfficialPackage> = loadInstalled,
): Promise<Client> {
  const official = await load();
  const client = new official.Client(
    { name: "tenon", version: "1" },
    {
      versionNegotiation: { mode: "auto" },
      ...(ask !== undefined && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (ask !== undefined) client.setRequestHandler("elicitation/create", async ({ params }) => answer(ask, params));
  await client.connect("url" in connection ? overHttp(official, connection) : await overStdio(connection));
  return client;
}

async function loadInstalled(): Promise<OfficialPackage> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (error) {
    throw new Error("A client over MCP needs a package: npm install @modelcontextprotocol/client", { cause: error });
  }
}

async function overStdio({ command, args = [], env, cwd }: McpCommand): Promise<OfficialTransport> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  return new StdioClientTransport({
    command,
    args: [...args],
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  }) as OfficialTransport;
}

async function answer(ask: McpAsk, params: object): Promise<{ action: "accept" | "decline"; content?: never }> {
  const { message, requestedSchema: schema = { type: "object" } } = params as {
    readonly message: string;
    readonly requestedSchema?: Parameters<McpAsk>[0]["schema"];
  };
  const content = await ask({ message, schema });
  return content === undefined ? { action: "decline" } : { action: "accept", content: content as never };
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
