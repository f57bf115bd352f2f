import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** One HTTP request as it is, with any `Host`, without what a client library would put right. */
export async function sendRaw(
  url: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = {},
  method = "POST",
): Promise<RawAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, {
      method,
      agent: false,
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    });
    sent.on("response", resolve).on("error", reject).end(body);
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** The JSON-RPC messages of an answer, whether it is JSON or a stream of events. */
export function messagesOf(answer: RawAnswer): Record<string, unknown>[] {
  if (String(answer.headers["content-type"]).startsWith("application/json"))
    return [JSON.parse(answer.body)].flat() as never;
  return answer.body
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice("data:".length)) as Record<string, unknown>);
}

const claim = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
};

/** A request of 2026-07-28 as text. */
export function modernBody(method: string, params: Record<string, unknown> = {}, id: string | number = 1): string {
  const { _meta, ...rest } = params;
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...rest, _meta: { ...claim, ...(_meta as object) } } });
}

/** The headers that go with it. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": method,
    ...(name !== undefined && { "Mcp-Name": name }),
  };
}

/** A request of 2025-11-25 or older as text. */
export function legacyBody(method: string, params?: unknown, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
