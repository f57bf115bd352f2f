import { asRecord, parseJson, recordsIn, toJson } from "../base/json.ts";
import type { Client } from "../client/client.ts";

/** Lists that a service gives to an MCP host. */
export interface McpLists {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly prompts: readonly Readonly<Record<string, unknown>>[];
  readonly resources: readonly Readonly<Record<string, unknown>>[];
}

const revision = "2026-07-28";

/** The lists of an MCP service; undefined for a service that does not serve MCP over HTTP. */
export async function loadMcpLists(client: Client): Promise<McpLists | undefined> {
  const tools = await ask(client, "tools/list", "tools");
  if (tools === undefined) return undefined;
  const [prompts = [], resources = []] = await Promise.all([
    ask(client, "prompts/list", "prompts"),
    ask(client, "resources/list", "resources"),
  ]);
  return { tools, prompts, resources };
}

async function ask(
  client: Client,
  method: string,
  key: string,
): Promise<readonly Readonly<Record<string, unknown>>[] | undefined> {
  const found: Readonly<Record<string, unknown>>[] = [];
  let cursor: unknown;
  do {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { ...(cursor !== undefined && { cursor }), _meta: meta };
    const response = await client.send("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": revision,
        "mcp-method": method,
      },
      body: toJson({ jsonrpc: "2.0", id: 1, method, params }),
    });
    if (!response.ok) return undefined;
    const { result } = asRecord(parseJson(await response.text()));
    found.push(...recordsIn(result, key));
    cursor = asRecord(result)["nextCursor"];
  } while (typeof cursor === "string" && found.length < 10_000);
  return found;
}
