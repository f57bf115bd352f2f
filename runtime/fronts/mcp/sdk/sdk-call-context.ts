import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type LoggingLevel,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../contract/contract.ts";
import { reports, startContext, textOf, traceOf, unknownSender } from "../port/call-context.ts";
import { legacyCapabilities, type Era } from "../port/capabilities.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpCallContext, McpSender } from "../port/port.ts";

/** State of the client behind a server. */
export interface ClientFacts {
  readonly server: Server;
  readonly era: Era;
  /** Log level that an older client has chosen. */
  logLevel: LoggingLevel | undefined;
}

/** Converts the SDK's context of a request into that of an {@link McpPort}. */
export function callContext({ server, era, logLevel }: ClientFacts, context: ServerContext): McpCallContext {
  const { mcpReq, http } = context;
  const sender = (http?.authInfo?.extra as McpSender | undefined) ?? unknownSender;
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const declared =
    era === "modern"
      ? envelope[CLIENT_CAPABILITIES_META_KEY]
      : legacyCapabilities((server.getClientCapabilities() ?? {}) as JsonObject);
  const meta = isObject(mcpReq._meta) ? mcpReq._meta : {};
  const revision =
    textOf(envelope[PROTOCOL_VERSION_META_KEY]) ?? sender.revision ?? server.getNegotiatedProtocolVersion();
  const level = era === "legacy" ? (logLevel ?? sender.logLevel) : undefined;
  const report = reports(meta["progressToken"], level, async (method, params) => {
    // Failures to send are ignored: a disconnect is detected by the signal.
    if (!mcpReq.signal.aborted) await mcpReq.notify({ method, params } as never).catch(() => {});
  });
  const capabilities = isObject(declared) ? (declared as JsonObject) : undefined;
  return {
    ...startContext(mcpReq.id, traceOf(meta), { capabilities, revision }, sender, report),
    signal: mcpReq.signal,
    inputResponses: mcpReq.inputResponses,
    requestState: mcpReq.requestState(),
    session: context.sessionId,
  };
}
