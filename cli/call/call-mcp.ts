import type { CallAnswer, Listener } from "./call-answer.ts";
import { fetchService, needsToken } from "./fetch-service.ts";
import { serverSentEvents } from "../base/server-sent-events.ts";
import { CommandError } from "../base/usage.ts";
import { packageVersion } from "../base/version.ts";

const revision = "2026-07-28";

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly resource?: { readonly blob?: string };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly progress?: number; readonly message?: string };
  readonly result?: {
    readonly content?: readonly Content[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  };
  readonly error?: { readonly message: string };
}

/**
 * Calls a tool over MCP (revision 2026-07-28, stateless: one request, answered by one JSON body or one event stream).
 */
export async function callMcp(url: string, tool: string, request: unknown, onStep: Listener): Promise<CallAnswer> {
  const response = await fetchService(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": "tools/call",
      "mcp-name": tool,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: tool,
        arguments: request,
        _meta: {
          progressToken: 1,
          "io.modelcontextprotocol/protocolVersion": revision,
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "tenon", version: packageVersion() },
        },
      },
    }),
  });
  if (response.status === 401) throw new CommandError(needsToken);
  for await (const message of messages(response)) {
    if (message.method === "notifications/progress")
      onStep(`· ${message.params?.message ?? message.params?.progress ?? ""}`);
    if (message.error !== undefined) return { ok: false, text: message.error.message };
    if (message.result !== undefined) return readResult(message.result);
  }
  return { ok: false, text: `The service answered ${response.status} without a result.` };
}

async function* messages(response: Response): AsyncGenerator<Message> {
  if (response.body !== null && (response.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    for await (const { data } of serverSentEvents(response.body)) yield JSON.parse(data) as Message;
    return;
  }
  const text = await response.text();
  try {
    yield JSON.parse(text) as Message;
  } catch {
    yield { error: { message: `The service answered ${response.status}: ${text.slice(0, 200)}` } };
  }
}

function readResult(result: NonNullable<Message["result"]>): CallAnswer {
  const content = result.content ?? [];
  const ok = result.isError !== true;
  const encoded = content.map(({ data, resource }) => data ?? resource?.blob).find((text) => text !== undefined);
  if (ok && encoded !== undefined) return { ok, text: "", bytes: Buffer.from(encoded, "base64") };
  if (ok && result.structuredContent !== undefined)
    return { ok, text: JSON.stringify(result.structuredContent, null, 2) };
  return { ok, text: content.map(({ text }) => text ?? "").join("\n") };
}
