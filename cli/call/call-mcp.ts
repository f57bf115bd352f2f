import type { CallAnswer, Listener } from "./call-answer.ts";
import { describeEvent } from "./describe-event.ts";
import { fetchService, needsToken } from "../base/fetch-service.ts";
import { serverSentEvents } from "../../runtime/caller/server-sent-events.ts";
import { noSuchTool } from "./no-such-tool.ts";
import { CommandError } from "../base/usage.ts";
import { packageVersion } from "../base/version.ts";

const revision = "2026-07-28";

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly resource?: { readonly blob?: string; readonly mimeType?: string };
}

interface Progress {
  readonly progress?: number;
  readonly message?: string;
  readonly _meta?: { readonly "platform/event"?: Readonly<Record<string, unknown>> };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Progress;
  readonly result?: {
    readonly content?: readonly Content[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string }[];
    readonly nextCursor?: string;
  };
  /** Of a problem that REST answers. */
  readonly detail?: string;
  readonly error?: { readonly message: string };
}

/**
 * Calls a tool over MCP (revision 2026-07-28, stateless: one request, answered by one JSON body or one event stream).
 */
export async function callMcp(url: string, tool: string, request: unknown, onStep: Listener): Promise<CallAnswer> {
  const response = await send(url, "tools/call", { name: tool, arguments: request });
  if (response.status === 401) throw new CommandError(needsToken);
  for await (const message of messages(response)) {
    if (message.method === "notifications/progress") onStep(describeProgress(message.params));
    if (message.error !== undefined) {
      const names = await toolNames(url);
      if (names?.includes(tool) === false) throw new CommandError(noSuchTool(tool, names));
      return { ok: false, text: message.error.message };
    }
    // An answer of REST, where MCP is not served.
    if (message.detail !== undefined) throw new CommandError(`${url}: ${message.detail}`);
    if (message.result !== undefined) return readResult(message.result);
  }
  return { ok: false, text: `The service answered ${response.status} without a result.` };
}

/** As over REST; a service of another make says no more than the message. */
function describeProgress({ progress, message, _meta }: Progress = {}): string {
  const event = _meta?.["platform/event"];
  return event === undefined ? `· ${message ?? progress ?? ""}` : describeEvent(event);
}

function send(url: string, method: string, params: Readonly<Record<string, unknown>>): Promise<Response> {
  const { name } = params;
  return fetchService(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          ...(method === "tools/call" && { progressToken: 1 }),
          "io.modelcontextprotocol/protocolVersion": revision,
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "tenon", version: packageVersion() },
        },
      },
    }),
  });
}

/** Names of all tools; undefined when the service does not list them. */
async function toolNames(url: string): Promise<readonly string[] | undefined> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const response = await send(url, "tools/list", cursor === undefined ? {} : { cursor });
    let page: Message["result"];
    for await (const { result } of messages(response)) page = result ?? page;
    if (page?.tools === undefined) return undefined;
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

async function* messages(response: Response): AsyncGenerator<Message> {
  if (response.body !== null && (response.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    for await (const { data } of serverSentEvents(response.body)) yield JSON.parse(data) as Message;
    return;
  }
  const text = await response.text();
  let message: Message;
  try {
    message = JSON.parse(text) as Message;
  } catch {
    const type = response.headers.get("content-type") ?? "no content type";
    throw new CommandError(
      `${response.url} answered ${response.status} with ${type}, which is not MCP: is this a tenon service?`,
    );
  }
  yield message;
}

function readResult(result: NonNullable<Message["result"]>): CallAnswer {
  const content = result.content ?? [];
  const ok = result.isError !== true;
  const mediaType = content
    .map(({ mimeType, resource }) => mimeType ?? resource?.mimeType)
    .find((type) => type !== undefined);
  const encoded = content.map(({ data, resource }) => data ?? resource?.blob).find((text) => text !== undefined);
  if (ok && encoded !== undefined) return { ok, text: mediaType ?? "", bytes: Buffer.from(encoded, "base64") };
  const text = content.map((block) => block.text ?? "").join("\n");
  if (!ok)
    return { ok, text: text.replace(/^- (?:\((root)\))?/gm, (_, root) => (root === undefined ? "  " : "  (request)")) };
  if (result.structuredContent === undefined) return { ok, text };
  return { ok, text: resultText(result.structuredContent, text) };
}

/** The result as REST has it: MCP wraps one that is not an object, and its text block has it as it is. */
function resultText(structured: unknown, text: string): string {
  const { result, ...others } = structured as { readonly result?: unknown };
  const isWrapped = result !== undefined && Object.keys(others).length === 0;
  if (isWrapped && result === text) return text;
  return JSON.stringify(isWrapped && JSON.stringify(result) === text ? result : structured, null, 2);
}
