// Only this file and the other `sdk-…` files import the MCP SDK. They use the service only through `McpPort`, so that
// another engine can replace the SDK or answer before it.
import {
  createMcpHandler,
  Server,
  type CallToolResult,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Result,
  type ServerCapabilities,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serverCapabilities, type Era } from "../port/capabilities.ts";
import type { McpChannel } from "../port/channel.ts";
import type { McpPort, McpSender } from "../port/port.ts";
import { callContext, type ClientFacts } from "./sdk-call-context.ts";
import { asInvalidParams, asProtocolErrors, type ReportEngineError } from "./sdk-faults.ts";
import { cacheHint, calls, extensionCalls, withText, type Call, type CallOf } from "./sdk-methods.ts";

export { reportEngineError } from "../port/report-engine-error.ts";

export interface McpHttpEngine {
  /**
   * Answers one HTTP request, of the newest revision of the protocol or of an older one. Closing the response's stream
   * cancels the request.
   *
   * @param body The parsed JSON of a POST, already checked.
   * @param sender The sender, as far as the HTTP request identifies it.
   */
  fetch(request: Request, body: unknown, sender: McpSender): Promise<Response>;
  /** Notifies subscribed clients of changed lists. */
  announce(): void;
  /** Cancels running requests and refuses new ones. */
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP: 2026-07-28 and every older revision, without sessions. `port` is called for each
 * request, since a reload replaces the tools.
 */
export function createHttpEngine(port: () => McpPort, report: ReportEngineError): McpHttpEngine {
  // Each request gets a new server, which separates concurrent clients with equal request ids.
  const handler = createMcpHandler(({ era }) => createServer(port(), report, era), { onerror: report });
  return {
    fetch(request, body, sender) {
      return handler.fetch(request, {
        ...(body !== undefined && { parsedBody: body }),
        authInfo: { token: "", clientId: "", scopes: [], extra: { ...sender } },
      });
    },
    announce() {
      handler.notify.toolsChanged();
      handler.notify.promptsChanged();
      handler.notify.resourcesChanged();
    },
    close: () => handler.close(),
  };
}

/** Serves MCP over a channel of messages, such as the lines of stdio; the first message decides the revision. */
export function serveChannel(
  port: McpPort,
  channel: McpChannel,
  report: ReportEngineError,
): { close(): Promise<void> } {
  const transport: Transport = {
    async start() {
      channel.open({
        message: (message) => transport.onmessage?.(message as JSONRPCMessage),
        closed: () => transport.onclose?.(),
      });
    },
    send: (message) => channel.send(message),
    async close() {
      channel.close();
    },
  };
  return serveStdio(({ era }) => createServer(port, report, era), { transport, onerror: report });
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK's server with clearer texts for invalid parameters. */
class PoliteServer extends Server {
  /** Milliseconds for which a request's stream stays open, for a client with a session. */
  streamTime: number | undefined;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        // Covers the whole request, including questions to the client and the time for its answers.
        return await withPolling(context, this.streamTime, () => wrapped(request, context));
      } catch (thrown) {
        throw asInvalidParams(method, thrown);
      }
    };
  }
}

/**
 * The SDK's server for one connection or request.
 *
 * @param streamTime Milliseconds for which a request's stream stays open, for a client with a session.
 */
export function createServer(port: McpPort, report: ReportEngineError, era: Era, streamTime?: number): Server {
  const ttl = cacheHint(port);
  const server = new PoliteServer(port.info, {
    capabilities: serverCapabilities(port, era, era === "modern" || streamTime !== undefined) as ServerCapabilities,
    ...(port.instructions !== undefined && port.instructions !== "" && { instructions: port.instructions }),
    cacheHints: {
      "tools/list": ttl,
      "prompts/list": ttl,
      "resources/list": ttl,
      "resources/templates/list": ttl,
      "server/discover": ttl,
    },
    // The limits are generous: a person answers the questions of older clients, so there is no practical limit to their
    // number and time.
    inputRequired: { maxRounds: 100, roundTimeoutMs: 3_600_000 },
    // This validator is never used: it would check answers to questions of the server, which the service's `McpPort`
    // validates. The default, ajv, would cost time per request.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's servers are not event targets
  server.onerror = report;
  server.streamTime = streamTime;
  const client: ClientFacts = { server, era, logLevel: undefined };
  if (era === "legacy") {
    server.setRequestHandler("logging/setLevel", ({ params }) => {
      client.logLevel = params.level;
      return {};
    });
  }
  const answer = (call: Call, params: object, context: ServerContext): Promise<object | void> =>
    asProtocolErrors(report, () => call({ ...params }, callContext(client, context)));
  for (const [method, callOf] of Object.entries<CallOf>(calls)) {
    const call = callOf(port, era);
    if (call === undefined) continue;
    // The SDK types each method's result; tests check the results of the service's `McpPort` against the protocol's
    // schemas.
    server.setRequestHandler(
      method as keyof typeof calls,
      (async ({ params = {} }: JSONRPCRequest, context: ServerContext) =>
        asResult(server, (await answer(call, params, context)) ?? {})) as never,
    );
  }
  if (era === "legacy") return server;
  for (const [method, { text, call: callOf }] of Object.entries(extensionCalls)) {
    const call = callOf(port, era);
    if (call === undefined) continue;
    server.setRequestHandler(method, { params: withText(text) }, (async (params: object, context: ServerContext) => ({
      resultType: "complete",
      ...(await answer(call, params, context)),
    })) as never);
  }
  return server;
}

/** Converts an answer of the service's `McpPort` to the SDK's form. */
function asResult(server: Server, answer: object): object {
  if ("inputRequests" in answer) return { resultType: "input_required", ...answer };
  // Empty content is added, since the SDK refuses a result of a call that has no content.
  if ("taskId" in answer) return { resultType: "task", ...answer, content: [] };
  return "content" in answer ? server.projectCallToolResult(answer as CallToolResult, undefined) : answer;
}

/** Closes the stream of a long request before a proxy does, so that the client reconnects to get the answer. */
async function withPolling<T>(
  { http }: ServerContext,
  streamTime: number | undefined,
  answer: () => Promise<T>,
): Promise<T> {
  if (http?.closeSSE === undefined || streamTime === undefined) return answer();
  const timer = setTimeout(http.closeSSE, streamTime).unref();
  try {
    return await answer();
  } finally {
    clearTimeout(timer);
  }
}
