import { legalBaggage } from "../../../job/baggage.ts";
import type { JsonObject } from "../../../contract/contract.ts";
import type { Answer } from "../../http/answer.ts";
import type { Caller } from "../../http/identity.ts";
import type { Exchange, Handler } from "../../http/exchange.ts";
import { parseJsonBody } from "../../http/parse-json.ts";
import { checkJsonHeaders } from "../../http/read-body.ts";
import { requireScopes } from "../lists/require-scopes.ts";
import type { PlainEngine } from "../plain/engine.ts";
import { legacyRevisions, modernRevision, readPlainRequest, type PlainRequest } from "../plain/read-request.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import { headerParameterMismatch } from "../port/header-parameters.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import { checkMessageShape, requestId } from "../port/message-shape.ts";
import type { McpPort, McpSender } from "../port/port.ts";
import type { LazyEngine } from "../sdk/lazy-engine.ts";
import { HttpReply } from "./http-reply.ts";
import { answerFully, faultAnswer, methodNotAllowed, refuse } from "./http-route.ts";
import type { SessionRoute } from "./session-route.ts";

/** A service as the handler uses it: its {@link McpPort}, and the engine for plain requests. */
export interface PlainSide {
  readonly port: McpPort;
  /** Engine for plain requests; undefined: the MCP SDK answers all requests. */
  readonly plain: PlainEngine | undefined;
}

/** Parts of the handler. */
export interface McpHandlerParts {
  /** Called for each request, since a reload replaces the tools. */
  readonly side: () => PlainSide;
  readonly engine: LazyEngine;
  readonly sessions: SessionRoute;
  /** True if `Authorization` comes from the platform's gateway. */
  readonly onPlatform: boolean;
  /** Maximum bytes of a body. */
  readonly bodyLimit: number;
}

/**
 * Creates the handler of the endpoint. Each message is checked here, once; then its session, the engine for plain
 * requests or the MCP SDK answers it.
 */
export function createMcpHandler({ side, engine, sessions, onPlatform, bodyLimit }: McpHandlerParts): Handler {
  const later = (exchange: Exchange, answer: Promise<Answer>): void =>
    void answer.then(
      (answered) => exchange.answer(answered),
      (thrown: unknown) => exchange.answer(refuse(thrown)),
    );
  const fully = async (exchange: Exchange, sender: McpSender, message: unknown): Promise<Answer> =>
    answerFully(await engine.get(), exchange, sender, message);
  const each = async (
    exchange: Exchange,
    body: unknown,
    answer: (message: unknown) => Promise<Answer>,
  ): Promise<Answer> =>
    Array.isArray(body) && body.length > 1
      ? (await import("./answer-batch.ts")).answerBatch(exchange, body, answer)
      : answer(body);
  return (exchange, caller) => {
    const { method } = exchange;
    const sender = readSender(exchange, caller, onPlatform);
    const isModern = sender.revision === modernRevision;
    if (method !== "POST") {
      // `GET` and `DELETE` are only for sessions: without a session there is no stream to open or to end.
      const isOfSession = (method === "GET" || method === "DELETE") && !isModern && sessions.takes(exchange, undefined);
      if (isOfSession) later(exchange, sessions.answer(exchange, sender, undefined));
      else exchange.answer(methodNotAllowed());
      return;
    }
    checkJsonHeaders(exchange);
    exchange.body(bodyLimit, (tooLarge, body) => {
      try {
        if (tooLarge !== undefined) throw tooLarge;
        const message = parseJsonBody(body);
        const { port, plain } = side();
        const refusal = refusalOf(port, exchange, caller, message);
        if (refusal !== undefined) exchange.answer(refusal);
        else if (!isModern && sessions.takes(exchange, message))
          later(
            exchange,
            each(exchange, message, (one) => sessions.answer(exchange, sender, one)),
          );
        else if (plain === undefined || !answerPlainly(plain, exchange, sender, message))
          later(
            exchange,
            each(exchange, message, (one) => fully(exchange, sender, one)),
          );
      } catch (thrown) {
        exchange.answer(refuse(thrown));
      }
    });
  };
}

/** The sender of a request over HTTP. */
function readSender(exchange: Exchange, caller: Caller | undefined, onPlatform: boolean): McpSender {
  const baggage = exchange.header("baggage");
  return {
    caller,
    // On the platform, the token becomes `jobAuthorization`. Otherwise it belongs to the caller and is never passed on.
    authorization: onPlatform ? exchange.header("authorization") : undefined,
    traceparent: exchange.header("traceparent"),
    tracestate: exchange.header("tracestate"),
    baggage: baggage === undefined ? undefined : legalBaggage(baggage),
    revision: exchange.header("mcp-protocol-version"),
    capabilities: undefined,
    // A client without a connection cannot choose a log level, so it gets the default one.
    logLevel: "info",
  };
}

/**
 * Checks a message, or a batch of them, before an engine gets it: scopes, shape, and headers of parameters. Returns the
 * refusal, or undefined.
 *
 * @throws ToolError `insufficient-scope`
 */
function refusalOf(port: McpPort, exchange: Exchange, caller: Caller | undefined, body: unknown): Answer | undefined {
  if (caller !== undefined) requireScopes(port, caller, body);
  try {
    checkMessageShape(body);
    const mismatch = headerMismatch(port, exchange, body);
    if (mismatch === undefined) return undefined;
    throw new McpFault(faultCodes.headerMismatch, mismatch);
  } catch (thrown) {
    if (thrown instanceof McpFault) return faultAnswer(400, thrown.code, thrown.message, requestId(body));
    throw thrown;
  }
}

/** The SDK compares the standard headers with the body, but not those that a tool's schema declares. */
function headerMismatch(port: McpPort, exchange: Exchange, body: unknown): string | undefined {
  // Older clients send neither this header nor headers for parameters.
  if (port.headerParameters === undefined || exchange.header("mcp-method") === undefined) return undefined;
  if (!isObject(body) || body["method"] !== "tools/call") return undefined;
  const params = body["params"] as { readonly name: string; readonly arguments?: JsonObject };
  const parameters = port.headerParameters(params.name);
  return headerParameterMismatch(parameters, params.arguments, (name) => exchange.header(name.toLowerCase()));
}

/** Answers a plain message. Returns false, without effect, for a message that needs the MCP SDK. */
function answerPlainly(engine: PlainEngine, exchange: Exchange, sender: McpSender, message: unknown): boolean {
  const request = readPlainRequest(message);
  if (request === undefined) {
    if (!isPlainNotification(message, exchange)) return false;
    exchange.answer({ status: 202, headers: [], body: undefined });
    return true;
  }
  if (!agreesWithHead(request, exchange)) return false;
  const reply = new HttpReply(exchange, request.era);
  const cancel = engine.answer(request, sender, reply);
  if (cancel === false) return false;
  if (!reply.ended) reply.goesOn(cancel);
  return true;
}

/**
 * True when the headers of a request match its body literally, without encoding or white space. Otherwise the MCP SDK
 * compares them.
 */
function agreesWithHead(request: PlainRequest, head: Exchange): boolean {
  if (!acceptsBoth(head.header("accept"))) return false;
  const revision = head.header("mcp-protocol-version");
  const method = head.header("mcp-method");
  if (request.era === "legacy")
    return method === undefined && (revision === undefined || legacyRevisions.includes(revision));
  if (revision !== modernRevision || method !== request.method) return false;
  return request.method !== "tools/call" || head.header("mcp-name") === request.name;
}

/** True for a client that accepts both JSON and events, as the protocol requires, or anything. */
function acceptsBoth(accept: string | undefined): boolean {
  // This value is checked first, since it is the most frequent one.
  if (accept === "application/json, text/event-stream") return true;
  if (accept === undefined || accept.includes("*/*")) return true;
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

/**
 * True for a notification of an older client over HTTP. It has no effect, since nothing is stored for such a client.
 */
function isPlainNotification(message: unknown, head: Exchange): boolean {
  if (!isObject(message) || "id" in message) return false;
  const { method, params } = message;
  if (typeof method !== "string" || !method.startsWith("notifications/")) return false;
  for (const key in message) if (key !== "jsonrpc" && key !== "method" && key !== "params") return false;
  if (isObject(params) && "_meta" in params) return false;
  const revision = head.header("mcp-protocol-version");
  return acceptsBoth(head.header("accept")) && (revision === undefined || legacyRevisions.includes(revision));
}
