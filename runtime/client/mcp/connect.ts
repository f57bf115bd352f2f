import type { Client } from "@modelcontextprotocol/client";
import type * as official from "@modelcontextprotocol/client";
import { refuseRedirect } from "../rest/http.ts";
import type { JsonObject, JsonSchema } from "../../contract/contract.ts";

/** The parts of the package `@modelcontextprotocol/client` that a connection uses. */
export type OfficialPackage = Pick<typeof official, "Client" | "StreamableHTTPClientTransport">;
type Connected = Parameters<Client["connect"]>[0];

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

function overHttp(official: OfficialPackage, { url, token, headers, fetch: given = fetch }: McpServer): Connected {
  const send = async (to: string | URL, init: RequestInit = {}): Promise<Response> => {
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value);
    const held = typeof token === "function" ? await token() : token;
    if (held !== undefined) all.set("authorization", `Bearer ${held}`);
    const { signal, ...rest } = init;
    const ends = signal && !isCancellation(init) && { signal };
    return refuseRedirect(String(to), await given(to, { ...rest, headers: all, redirect: "manual", ...ends }));
  };
  return new official.StreamableHTTPClientTransport(new URL(url), { fetch: send }) as Connected;
}

/**
 * True for a cancellation. It must be sent even when the connection is closed right after it, which aborts all other
 * requests.
 */
function isCancellation({ body }: RequestInit): boolean {
  return typeof body === "string" && body.includes('"method":"notifications/cancelled"');
}

async function overStdio({ command, args = [], env, cwd }: McpCommand): Promise<Connected> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  return new StdioClientTransport({
    command,
    args: [...args],
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  }) as Connected;
}

async function answer(ask: McpAsk, params: object): Promise<{ action: "accept" | "decline"; content?: never }> {
  const { message, requestedSchema: schema = { type: "object" } } = params as {
    readonly message: string;
    readonly requestedSchema?: Parameters<McpAsk>[0]["schema"];
  };
  const content = await ask({ message, schema });
  return content === undefined ? { action: "decline" } : { action: "accept", content: content as never };
}

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
