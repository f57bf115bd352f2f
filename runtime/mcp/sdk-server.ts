// The only file that imports the MCP SDK. Whatever it offers goes through `McpPort`, so that another engine can take
// its place or stand in front of it.
import { createMcpHandler, ProtocolError, Server } from "@modelcontextprotocol/server";
import type {
  CallToolResult,
  JSONRPCMessage,
  ListToolsResult,
  ServerContext,
  Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpChannel } from "./channel.ts";
import { isRecord } from "./message-shape.ts";
import { faultCodes, McpFault } from "./fault.ts";
import type { McpCallContext, McpPort } from "./port.ts";

export interface McpHttpEngine {
  /**
   * Answers one HTTP request of either protocol era. Closing the response's stream cancels what it started.
   *
   * @param body The parsed JSON of a POST, already checked.
   * @param authorization Becomes `jobAuthorization`; only what the platform's gateway sent may be given.
   */
  fetch(request: Request, body: unknown, authorization: string | undefined): Promise<Response>;
  /** Cancels what runs and refuses what comes. */
  close(): Promise<void>;
}

/** Called with what went wrong outside of any answer; for the log. */
export type ReportEngineError = (error: Error) => void;

/** MCP over Streamable HTTP: 2026-07-28 and every older revision, without sessions. */
export function createHttpEngine(port: McpPort, report: ReportEngineError): McpHttpEngine {
  // A fresh server per request keeps concurrent clients with equal request ids apart.
  const handler = createMcpHandler(() => createServer(port, report), { onerror: report });
  return {
    fetch(request, body, authorization) {
      return handler.fetch(request, {
        ...(body !== undefined && { parsedBody: body }),
        ...(authorization !== undefined && { authInfo: { token: authorization, clientId: "platform", scopes: [] } }),
      });
    },
    close: () => handler.close(),
  };
}

/** MCP over a channel of messages, such as the lines of stdio; the first message decides the era. */
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
  return serveStdio(() => createServer(port, report), { transport, onerror: report });
}

function createServer(port: McpPort, report: ReportEngineError): Server {
  const ttl = { ttlMs: port.toolsTtl, cacheScope: "public" } as const;
  const server = new Server(port.info, {
    // No `listChanged`: the list cannot change while the process lives.
    capabilities: { tools: {} },
    ...(port.instructions !== undefined && { instructions: port.instructions }),
    cacheHints: { "tools/list": ttl, "server/discover": ttl },
    // Only answers to questions of the server are validated by it, and none are asked; making ajv costs per request.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's servers are no event targets
  server.onerror = report;
  server.setRequestHandler("tools/list", (request) =>
    asProtocolErrors(report, () => port.listTools(request.params?.cursor) as ListToolsResult),
  );
  server.setRequestHandler("tools/call", (request, context) =>
    asProtocolErrors(report, async () => {
      const { name, arguments: args = {} } = request.params;
      const result = await port.callTool(name, args as never, callContext(context));
      return server.projectCallToolResult(result as CallToolResult, undefined);
    }),
  );
  return server;
}

function callContext(context: ServerContext): McpCallContext {
  const { mcpReq, http } = context;
  const meta = isRecord(mcpReq._meta) ? mcpReq._meta : {};
  const { progressToken } = meta;
  const traceparent = text(meta["traceparent"]) ?? http?.req?.headers.get("traceparent") ?? undefined;
  const tracestate = text(meta["tracestate"]) ?? http?.req?.headers.get("tracestate") ?? undefined;
  const authorization = http?.authInfo?.token;
  return {
    signal: mcpReq.signal,
    ...((typeof progressToken === "string" || typeof progressToken === "number") && {
      async notifyProgress(progress) {
        if (mcpReq.signal.aborted) return;
        // A client that went away is told by the signal, not by a failure to reach it.
        await mcpReq
          .notify({ method: "notifications/progress", params: { ...progress, progressToken } })
          .catch(() => {});
      },
    }),
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(authorization !== undefined && { authorization }),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The SDK reads a code only off its own error class, and sends the message of every other error as it is. */
async function asProtocolErrors<T>(report: ReportEngineError, answer: () => T | Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (thrown) {
    if (thrown instanceof McpFault) throw new ProtocolError(thrown.code, thrown.message);
    report(thrown instanceof Error ? thrown : new Error(String(thrown)));
    throw new ProtocolError(faultCodes.internalError, "Internal error");
  }
}
