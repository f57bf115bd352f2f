import { asRecord, parseJson, recordsIn, toJson } from "../base/json.ts";
import type { Client } from "../client/client.ts";

export type McpItems = readonly Readonly<Record<string, unknown>>[];

/** Lists that a service gives to an MCP host. */
interface McpLists {
  /** Tools in the list for hosts; undefined for a service that does not serve MCP over HTTP. */
  readonly tools: McpItems | undefined;
  readonly prompts: McpItems;
  readonly resources: McpItems;
}

const revision = "2026-07-28";

/** Fetches a service's lists. */
export async function loadMcpLists(client: Client): Promise<McpLists> {
  const [tools, prompts = [], resources = []] = await Promise.all(
    ["tools", "prompts", "resources"].map((key) => ask(client, key)),
  );
  return { tools, prompts, resources };
}

async function ask(client: Client, key: string): Promise<McpItems | undefined> {
  const method = `${key}/list`;
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
