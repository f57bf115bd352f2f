import { legalBaggage } from "../../../job/baggage.ts";
import type { Caller } from "../../http/identity.ts";
import type { Exchange } from "../../http/exchange.ts";
import { headerParameterMismatch } from "../port/header-parameters.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpPort } from "../port/port.ts";
import { requireScopes } from "../lists/require-scopes.ts";
import { createPlainEngine } from "./engine.ts";
import { HttpReply } from "./http-reply.ts";
import { legacyRevisions, modernRevision, readPlainRequest } from "./read-request.ts";
import type { PlainRequest } from "./read-request.ts";

/**
 * Answers a plain message over HTTP. Returns false, without effect, for a message that needs the full engine.
 *
 * @param message Parsed JSON of a `POST`, whose Host, Origin, media type, size and depth have been checked.
 * @throws ToolError `insufficient-scope`
 */
export type AnswerPlainly = (exchange: Exchange, message: unknown, caller: Caller | undefined) => boolean;

/** Creates the function that answers plain messages over HTTP. */
export function createPlainHttp(port: McpPort, onPlatform: boolean): AnswerPlainly {
  const engine = createPlainEngine(port);
  return (exchange, message, caller) => {
    const request = readPlainRequest(message);
    if (request === undefined) {
      if (!isPlainNotification(message, exchange)) return false;
      exchange.answer({ status: 202, headers: [], body: undefined });
      return true;
    }
    if (!agreesWithHead(request, exchange, port)) return false;
    if (caller !== undefined) requireScopes(port, caller, message);
    const reply = new HttpReply(exchange, request.era);
    const baggage = exchange.header("baggage");
    const sender = {
      caller,
      authorization: onPlatform ? exchange.header("authorization") : undefined,
      traceparent: exchange.header("traceparent"),
      tracestate: exchange.header("tracestate"),
      baggage: baggage === undefined ? undefined : legalBaggage(baggage),
      revision: exchange.header("mcp-protocol-version"),
      capabilities: undefined,
      // A client without a connection cannot choose a level; it gets messages of general interest.
      log: "info",
    } as const;
    const cancel = engine.answer(request, sender, reply);
    if (cancel === false) return false;
    if (!reply.ended) reply.goesOn(cancel);
    return true;
  };
}

/**
 * True when the headers of a request match its body literally, without encoding or white space. Otherwise the full
 * engine compares them.
 */
function agreesWithHead(request: PlainRequest, head: Exchange, port: McpPort): boolean {
  if (!acceptsBoth(head.header("accept"))) return false;
  const revision = head.header("mcp-protocol-version");
  const method = head.header("mcp-method");
  if (request.era === "legacy")
    return method === undefined && (revision === undefined || legacyRevisions.includes(revision));
  if (revision !== modernRevision || method !== request.method) return false;
  if (request.method !== "tools/call") return true;
  if (head.header("mcp-name") !== request.name) return false;
  return (
    port.headerParameters === undefined ||
    headerParameterMismatch(port.headerParameters(request.name), request.args, (name) =>
      head.header(name.toLowerCase()),
    ) === undefined
  );
}

/** True for a client that accepts both JSON and events, as the protocol requires, or anything. */
function acceptsBoth(accept: string | undefined): boolean {
  // The most frequent value.
  if (accept === "application/json, text/event-stream") return true;
  if (accept === undefined || accept.includes("*/*")) return true;
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

/** True for a notification of an older client over HTTP. Nothing is stored for such a client, so it has no effect. */
function isPlainNotification(message: unknown, head: Exchange): boolean {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || "id" in message) return false;
  const { method, params } = message;
  if (typeof method !== "string" || !method.startsWith("notifications/")) return false;
  for (const key in message) if (key !== "jsonrpc" && key !== "method" && key !== "params") return false;
  if (params !== undefined && (!isRecord(params) || "_meta" in params)) return false;
  const revision = head.header("mcp-protocol-version");
  return acceptsBoth(head.header("accept")) && (revision === undefined || legacyRevisions.includes(revision));
}
