import { legalBaggage } from "../../../job/baggage.ts";
import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import type { LoggingLevel, Server, ServerContext } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../contract/contract.ts";
import { legacyCapabilities, type Era } from "../port/capabilities.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpCallContext, McpSender } from "../port/port.ts";

/** State of the client behind a server. */
export interface ClientFacts {
  readonly server: Server;
  readonly era: Era;
  /** Level that an older client has chosen. */
  logLevel: LoggingLevel | undefined;
}

/** Converts the SDK's context of a request into the port's. */
export function callContext(client: ClientFacts, context: ServerContext): McpCallContext {
  const { server, era } = client;
  const { mcpReq, http } = context;
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const declared =
    era === "modern"
      ? envelope[CLIENT_CAPABILITIES_META_KEY]
      : legacyCapabilities((server.getClientCapabilities() ?? {}) as JsonObject);
  const requestState = mcpReq.requestState();
  const meta = isRecord(mcpReq._meta) ? mcpReq._meta : {};
  const traceparent = text(meta["traceparent"]) ?? http?.req?.headers.get("traceparent") ?? undefined;
  const tracestate = text(meta["tracestate"]) ?? http?.req?.headers.get("tracestate") ?? undefined;
  const baggage = legalBaggage(meta["baggage"]) ?? legalBaggage(http?.req?.headers.get("baggage"));
  const revision =
    text(envelope[PROTOCOL_VERSION_META_KEY]) ??
    http?.req?.headers.get("mcp-protocol-version") ??
    server.getNegotiatedProtocolVersion() ??
    undefined;
  const { authorization, caller } = (http?.authInfo?.extra ?? {}) as Partial<McpSender>;
  return {
    signal: mcpReq.signal,
    ...(isRecord(declared) && { capabilities: declared as JsonObject }),
    ...(mcpReq.inputResponses !== undefined && { inputResponses: mcpReq.inputResponses }),
    ...(requestState !== undefined && { requestState }),
    ...reports(context, meta["progressToken"], logLevel(client, envelope, http !== undefined)),
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
    requestId: mcpReq.id,
    revision,
    session: context.sessionId,
    ...(authorization !== undefined && { authorization }),
    ...(caller !== undefined && { owner: caller.owner, scopes: caller.scopes, caller: caller.identity }),
  };
}

/**
 * The minimum level of log messages for a client. Newer clients send it with every call, older ones once per
 * connection. An older client over HTTP has no connection, and gets messages of general interest.
 */
function logLevel(
  { era, logLevel: chosen }: ClientFacts,
  envelope: Readonly<Record<string, unknown>>,
  isHttp: boolean,
): string | undefined {
  if (era === "modern") return text(envelope[LOG_LEVEL_META_KEY]);
  return chosen ?? (isHttp ? "info" : undefined);
}

const levels: readonly string[] = ["debug", "info", "notice", "warning", "error"];

/** A client follows a call by progress, else by log messages. */
function reports(
  { mcpReq }: ServerContext,
  progressToken: unknown,
  from: string | undefined,
): Pick<McpCallContext, "notifyProgress" | "log"> {
  // A disconnect is noticed by the signal, not by a failure to send.
  if (typeof progressToken === "string" || typeof progressToken === "number") {
    return {
      async notifyProgress(progress) {
        if (mcpReq.signal.aborted) return;
        const params = { ...progress, progressToken };
        await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
      },
    };
  }
  if (from === undefined || !levels.includes(from)) return {};
  return {
    async log(level, data) {
      if (!mcpReq.signal.aborted && levels.indexOf(level) >= levels.indexOf(from))
        await mcpReq.log(level, data).catch(() => {});
    },
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
